import Control
import ControlClient
import ControlHTTP
import Glibc
import Logging
import NIOPosix
import Testing

@Suite struct SocketTests {
  private func start(_ path: String, group: String? = nil) async throws(ControlServerError) -> ControlServer {
    try await ControlServer.start(
      service: FakeService(), socket: try SocketClaim(path: path), group: group,
      eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
      logger: Serving.quiet, limits: .patient)
  }

  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode : 0
  }

  @Test func `The socket has mode 0660, its directory is created, and closing the server removes it`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/sub/s"
      let server = try await start(path)
      #expect(mode(path) == S_IFSOCK | 0o660)
      await server.close()
      #expect(mode(path) == 0)
    }
  }

  @Test func `The socket of a running service is not replaced, and the error names it`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let server = try await start(path)
      let refusal = ControlServerError.inUse(path: path, by: getpid())
      await #expect(throws: refusal) { try await start(path) }
      #expect("\(refusal)".contains(path) && "\(refusal)".contains("process \(getpid())"))
      #expect(try await PlacardClient(socket: path).status().pid == 7)
      await server.close()
    }
  }

  @Test func `A claimed path is rejected before a server listens there, and is free after the claim`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      do {
        let claim = try SocketClaim(path: path)
        #expect(throws: ControlServerError.inUse(path: path, by: getpid())) { try SocketClaim(path: claim.path) }
        #expect(mode(path) == 0)
      }
      let server = try await start(path)
      #expect(mode(path + ".lock") == S_IFREG | 0o600)
      await server.close()
      #expect(mode(path + ".lock") == 0)
    }
  }

  @Test func `The socket of a service that responds but holds no lock is not replaced`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let server = try await start(path)
      unsafe unlink(path + ".lock")
      await #expect(throws: ControlServerError.inUse(path: path, by: nil)) { try await start(path) }
      #expect(try await PlacardClient(socket: path).status().pid == 7)
      await server.close()
    }
  }

  @Test func `The socket of a service that has exited is replaced`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let dead = try #require(bindOnly(path))
      close(dead)
      #expect(mode(path) & S_IFMT == S_IFSOCK)
      let server = try await start(path)
      #expect(try await PlacardClient(socket: path).status().pid == 7)
      await server.close()
    }
  }

  @Test func `A file that is not a socket is left alone`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
      await #expect(throws: ControlServerError.notASocket(path: path)) { try await start(path) }
      #expect(mode(path) & S_IFMT == S_IFREG)
    }
  }

  @Test func `Closing the server does not remove a socket that another service has put in its place`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let first = try await start(path)
      for name in [path, path + ".lock"] { unsafe unlink(name) }
      let second = try await start(path)
      await first.close()
      #expect(try await PlacardClient(socket: path).status().pid == 7)
      await second.close()
    }
  }

  @Test func `Invalid paths are rejected with the reason`() async throws {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    await #expect(throws: ControlServerError.pathTooLong(path: long)) { try await start(long) }
    await #expect(throws: ControlServerError.system(operation: "mkdir", path: "/nowhere/there", errno: ENOENT)) {
      try await start("/nowhere/there/s")
    }
    try await withTemporaryDirectory { directory in
      await #expect(throws: ControlServerError.noGroup(name: "no such group")) {
        try await start("\(directory)/s", group: "no such group")
      }
      #expect(mode("\(directory)/s") == 0)
    }
  }

  @Test(
    "The default path follows the environment, then the user",
    arguments: [
      (["PLACARD_SOCKET": "/a"], 0, false, true, "/a"), (["PLACARD_SOCKET": ""], 0, false, false, SocketPath.system),
      (["XDG_RUNTIME_DIR": "/run/user/5"], 5, false, true, SocketPath.system),
      (["XDG_RUNTIME_DIR": "/run/user/5"], 5, true, false, SocketPath.system),
      (["XDG_RUNTIME_DIR": "/run/user/5"], 5, false, false, "/run/user/5/placard/placard.sock"),
      (["XDG_RUNTIME_DIR": "here"], 5, false, false, "/tmp/placard-5/placard.sock"),
      ([:], 5, false, false, "/tmp/placard-5/placard.sock"),
    ] as [([String: String], UInt32, Bool, Bool, String)])
  func path(environment: [String: String], user: UInt32, isServiceUser: Bool, isThere: Bool, expected: String) {
    let path = SocketPath.choose(
      environment: { environment[$0] }, user: user, isServiceUser: { isServiceUser }, isThere: isThere)
    #expect(path == expected)
  }

  /// Creates a socket that is bound, with no listener.
  private func bindOnly(_ path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.dropLast().copyBytes(from: path.utf8) }
    let answer = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return answer == 0 ? descriptor : nil
  }
}
