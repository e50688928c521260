import Testing

@testable import DBus

struct DBusMessageTests {
  @Test func `a call has the bytes of the D-Bus specification`() {
    var call = DBusMessage.call("Set", of: "x.Y", at: "/a/b", .uint16(0x0102), .int32(-2), .uint32(0x0a0b_0c0d))
    call.serial = 7
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
    #expect(call.bytes == expected)
  }

  /// METHOD_RETURN to serial 7, from GDBus: fields REPLY_SERIAL and SENDER.
  private static let reply: [UInt8] =
    [UInt8(ascii: "l"), 2, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 23, 0, 0, 0]
    + [5, 1, UInt8(ascii: "u"), 0, 7, 0, 0, 0]
    + [7, 1, UInt8(ascii: "s"), 0, 6, 0, 0, 0] + Array("org.x1".utf8) + [0] + [0]

  @Test func `a reply names the call that it answers, and its sender`() throws {
    let message = try DBusMessage(Self.reply)
    #expect(message.kind == .reply && message.serial == 3)
    #expect(message.replySerial == 7)
    #expect(message.sender == "org.x1")
    #expect(try DBusMessage.length(at: Self.reply + [1, 2, 3]) == 40)
  }

  @Test func `a message in the other byte order is also read`() throws {
    var bytes = Self.reply
    bytes[0] = UInt8(ascii: "B")
    for place in [8, 12, 20, 28] { bytes[place..<place + 4].reverse() }
    #expect(try DBusMessage.length(at: bytes) == 40)
    #expect(try DBusMessage(bytes) == DBusMessage(Self.reply))
  }

  @Test func `values of every type are read as they were written`() throws {
    var message = DBusMessage(.signal)
    message.body = [
      .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6), .uint64(.max), .double(0.5),
      .string("é"), .objectPath("/o"), .signature("as"), .descriptor(0), .array([], of: "(yv)"),
      .array([.entry(.string("a"), .variant(.array([.int64(1)], of: "x")))], of: "{sv}"),
      .structure([.byte(1), .structure([.uint64(2)])]), .variant(.variant(.boolean(false))),
    ]
    (message.serial, message.descriptorCount, message.errorName) = (9, 1, "e.E")
    #expect(try DBusMessage(message.bytes) == message)
  }

  @Test func `a dictionary is read by key, without the variant`() {
    let entries = [DBusValue.entry(.string("a"), .variant(.boolean(true))), .entry(.string("b"), .variant(.byte(1)))]
    let dictionary = DBusValue.array(entries, of: "{sv}")
    #expect(dictionary["a"]?.truth == true)
    #expect(dictionary["c"] == nil && DBusValue.byte(1)["a"] == nil)
  }

  @Test(arguments: ["(", "(y", "{y}", "()", "a", "z", String(repeating: "a", count: 200) + "y"])
  func `an invalid D-Bus type is refused`(signature: String) {
    var message = DBusMessage(.signal)
    message.body = [.variant(.byte(1))]
    var reader = DBusReader([UInt8](repeating: 0, count: 64), isBigEndian: false)
    #expect(throws: DBusError.self) { try reader.values(of: signature) }
  }

  @Test func `random bytes never trap, and accepted ones are written back unchanged`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var state = seed
    var message = DBusMessage.call("Get", of: "a.B", at: "/c", on: "d.E", .array([.variant(.string("x"))], of: "v"))
    message.serial = 1
    let original = message.bytes
    for _ in 0..<2000 {
      var bytes = original
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24) & 0x7F
      }
      guard let read = try? DBusMessage(bytes) else { continue }
      #expect(try DBusMessage(read.bytes).bytes == read.bytes, "seed \(seed)")
    }
  }
}
