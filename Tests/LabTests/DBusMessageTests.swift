import Testing

@testable import Lab

struct DBusMessageTests {
  @Test func `A call has the bytes of the D-Bus specification`() {
    let bytes = DBusMessage.methodCall(
      serial: 7, path: "/a/b", interface: "x.Y", member: "Set",
      body: [.uint16(0x0102), .int32(-2), .uint32(0x0a0b_0c0d)])
    let expected: [UInt8] =
      [UInt8(ascii: "l"), 1, 0, 1]  // little-endian, METHOD_CALL, no flags, version 1
      + [12, 0, 0, 0]  // length of the body
      + [7, 0, 0, 0]  // serial
      + [57, 0, 0, 0]  // length of the header fields
      + [1, 1, UInt8(ascii: "o"), 0, 4, 0, 0, 0] + Array("/a/b".utf8) + [0] + [0, 0, 0]  // PATH, to 16
      + [2, 1, UInt8(ascii: "s"), 0, 3, 0, 0, 0] + Array("x.Y".utf8) + [0] + [0, 0, 0, 0]  // INTERFACE, to 32
      + [3, 1, UInt8(ascii: "s"), 0, 3, 0, 0, 0] + Array("Set".utf8) + [0] + [0, 0, 0, 0]  // MEMBER, to 48
      + [8, 1, UInt8(ascii: "g"), 0, 3] + Array("qiu".utf8) + [0]  // SIGNATURE, 57
      + [0, 0, 0, 0, 0, 0, 0]  // padding of the header to 8
      + [0x02, 0x01, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0d, 0x0c, 0x0b, 0x0a]  // q, padding, i, u
    #expect(bytes == expected)
  }

  /// METHOD_RETURN to serial 7, from GDBus: fields REPLY_SERIAL and SENDER.
  private let reply: [UInt8] =
    [UInt8(ascii: "l"), 2, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 23, 0, 0, 0]
    + [5, 1, UInt8(ascii: "u"), 0, 7, 0, 0, 0]
    + [7, 1, UInt8(ascii: "s"), 0, 6, 0, 0, 0] + Array("org.x1".utf8) + [0] + [0]

  @Test func `A reply tells which call it answers`() throws {
    let message = try #require(try DBusMessage(parsing: reply + [1, 2, 3]))
    #expect(message.type == 2)
    #expect(message.replySerial == 7)
    #expect(message.length == 40)
  }

  @Test func `An incomplete message is waited for`() throws {
    for length in 0..<reply.count { #expect(try DBusMessage(parsing: Array(reply[..<length])) == nil) }
  }

  @Test func `An error has a name`() throws {
    var bytes = reply
    bytes[1] = 3
    bytes[24] = 4
    #expect(try DBusMessage(parsing: bytes)?.errorName == "org.x1")
  }

  @Test func `Big-endian and absurd lengths are refused`() {
    var bytes = reply
    bytes[0] = UInt8(ascii: "B")
    #expect(throws: LabError.self) { try DBusMessage(parsing: bytes) }
    bytes = reply
    bytes[15] = 0x7f
    #expect(throws: LabError.self) { try DBusMessage(parsing: bytes) }
  }

  @Test func `Random bytes never trap`() {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    var state = seed
    for _ in 0..<2000 {
      var bytes = reply
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      let length = (try? DBusMessage(parsing: bytes))??.length ?? 16
      #expect(length >= 16, "seed \(seed)")
    }
  }
}
