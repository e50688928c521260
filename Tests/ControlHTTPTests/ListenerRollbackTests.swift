import Access
import ControlHTTP
import Glibc
import Testing

/// A listener whose new TCP address is not available.
@Suite struct ListenerRollbackTests {
  @Test func `an address that is not available leaves the previous one open, also on the same port`() async throws {
    try await WebServing.run { web in
      let (server, port) = (web.serving.server, web.port)
      // Of a free port of 127.0.0.2, 127.0.0.1 may have a listener of another test.
      let taken = try Self.listen("127.0.0.2", port)
      defer { close(taken) }
      let here = try #require(ListenAddress(parsing: "127.0.0.1:\(port)"))
      let other = try #require(ListenAddress(parsing: "127.0.0.2:\(port)"))
      #expect(await server.webAddress() == here)
      // This server has the port on 127.0.0.1, and another program has it on 127.0.0.2.
      for door in [other, try #require(ListenAddress(parsing: "0.0.0.0:\(port)"))] {
        let token = Token(Array(WebServing.token.utf8))
        let rules = AccessRules(token: token)
        await #expect(throws: ControlServerError.portInUse(door)) {
          try await server.setWeb(try WebListenerSettings(listen: door, rules: rules), limits: .patient)
        }
        #expect(await server.webAddress() == here)
        #expect(try await WebServing(serving: web.serving, port: port).status("GET", "/v1/status") == 200)
      }
    }
  }

  /// Listens on a port of an address, and returns the descriptor.
  private static func listen(_ text: String, _ port: Int) throws -> Int32 {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    unsafe inet_pton(AF_INET, text, &address.sin_addr)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, length) == 0
      }
    }
    try #require(isBound && Glibc.listen(descriptor, 1) == 0)
    return descriptor
  }
}
