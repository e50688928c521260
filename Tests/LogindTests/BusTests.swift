import Glibc
import SystemCalls
import Testing

@testable import Systemd

struct BusTests {
  @Test func `values of all kinds arrive as they were sent`() throws {
    let connection = try Pair()
    var signal = BusMessage(.signal)
    (signal.path, signal.interface, signal.member) = ("/test", "org.example.Test", "Sent")
    signal.body = [
      .boolean(true), .uint16(.max), .int32(.min), .uint32(.max), .string("ä€😀"), .variant(.string("inner")),
      .array([.entry(.string("LidClosed"), .variant(.boolean(false)))], of: "{sv}"), .array([], of: "s"),
    ]
    try connection.near.send(signal)
    let received = try connection.received()
    #expect(received.body == signal.body)
    #expect(received.kind == .signal && received.member == "Sent" && received.interface == "org.example.Test")
    #expect(received.path == "/test" && received.replyCookie == nil)
  }

  @Test func `an invalid name is refused, and the connection continues`() throws {
    let connection = try Pair()
    #expect(throws: BusError.self) { try connection.near.send(.call("no spaces", of: "org.example.Test", at: "/test")) }
    #expect(throws: BusError.self) { try connection.near.send(.call("Test", of: "org.example.Test", at: "no/slash")) }
    try connection.near.send(.call("Test", of: "org.example.Test", at: "/test", .string("x")))
    #expect(try connection.received().firstText == "x")
  }

  @Test func `an address without a bus gives the reason`() {
    let error = #expect(throws: BusError.self) { _ = try Bus(address: "unix:path=/nowhere/bus") }
    #expect(error?.description == "connect: No such file or directory")
    #expect(throws: BusError.self) { _ = try Bus(address: "nonsense") }
    #expect(throws: BusError.self) { _ = try Bus(peer: -1) }
  }

  @Test func `a peer that does not answer in time is named as the reason`() throws {
    let connection = try Pair()
    try connection.near.send(.call("First", of: "org.example.Test", at: "/test"))
    #expect(try connection.received().member == "First")
    let error = #expect(throws: BusError.self) {
      try connection.near.call(.call("Test", of: "org.example.Test", at: "/test"), within: .milliseconds(1))
    }
    #expect(error?.number == ErrorNumber(ETIMEDOUT))
  }

  @Test func `a connection whose peer has hung up ends with an error`() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let connection = Connection(try Bus(peer: ends[0]))
    close(ends[0])
    // A process that another test starts can hold a copy of the socket, so closing it does not hang up.
    shutdown(ends[1], Int32(SHUT_RDWR))
    close(ends[1])
    #expect(throws: BusError.self) { while try connection.bus.receive() != nil {} }
  }

  /// A reference to a connection.
  private final class Connection {
    let bus: Bus

    init(_ bus: consuming Bus) { self.bus = bus }
  }

  /// Both ends of a connection without a bus.
  private final class Pair {
    let near: Bus
    private let far: BusPeer

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      near = try Bus(peer: ends[0])
      close(ends[0])
      far = try BusPeer(serving: ends[1])
    }

    /// Returns the next message at the far end. Authentication takes a few bytes in each direction before.
    func received() throws -> BusMessage {
      for _ in 1...10 {
        if let message = try far.received() { return message }
        #expect(try near.receive() == nil)
      }
      throw BusPeer.Failure(what: "no message arrived")
    }
  }
}
