import Glibc
import Systemd
import Testing

/// A bus with a logind behind it: a Unix socket that authenticates a client and answers its calls.
///
/// Every call blocks until it is done, and fails after a minute.
final class FakeBus {
  /// The address of the bus, for a client.
  let address: String
  private let path: String
  private let listener: Int32
  private var peer: BusPeer?

  init() throws {
    path = "/tmp/placard-bus-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    address = "unix:path=\(path)"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    let bound = unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 4) == 0)
  }

  deinit {
    close(listener)
    unsafe unlink(path)
  }

  /// Accepts a connection and answers until the lock and the lid state have been requested, when the session is ready.
  ///
  /// sd-bus waits 90 s for its authentication. On a busy machine it can take longer to get here. The client has hung up
  /// then, and connects again.
  func serve(lidClosed: Bool = false) throws -> Lock {
    for _ in 0..<3 {
      do { return try serveOnce(lidClosed: lidClosed) } catch let failure as BusPeer.Failure where failure.isHangUp {}
    }
    return try serveOnce(lidClosed: lidClosed)
  }

  private func serveOnce(lidClosed: Bool) throws -> Lock {
    try #require(Lock.canRead(listener, within: 60_000), "no client connects")
    let peer = try BusPeer(serving: accept(listener, nil, nil))
    peer.sender = ":1.7"
    self.peer = peer
    return try answer(lidClosed: lidClosed)
  }

  /// Answers calls until the lid state has been requested, which is the last request.
  func answer(lidClosed: Bool = false) throws -> Lock {
    let peer = try #require(peer)
    var lock: Lock?
    while true {
      let call = try peer.next { call in
        switch call.member {
        case "Hello": return [.string(":1.8")]
        case "GetNameOwner": return [.string(":1.7")]
        case "Inhibit":
          let new = try Lock()
          lock = new
          return [.descriptor(PassedDescriptor(new.takeWriter()))]
        case "Get": return [.variant(.boolean(lidClosed))]
        default: return []
        }
      }
      if call.member == "Get" { return try #require(lock, "the lid state was requested before the lock") }
    }
  }

  /// Closes the connection.
  func hangUp() { peer = nil }

  func send(raw text: String) throws { try peer?.send(raw: text) }

  func prepareForSleep(_ isStart: Bool) throws { try peer?.send(.prepareForSleep(isStart)) }

  func moveLid(isClosed: Bool) throws { try peer?.send(.lidMoved(isClosed)) }
}
