import Testing

@testable import DBus

struct DBusStreamTests {
  private func steps(_ stream: inout DBusStream, _ text: String) throws -> [DBusStream.Step] {
    stream.receive(Array(text.utf8))
    return try steps(&stream)
  }

  private func steps(_ stream: inout DBusStream) throws -> [DBusStream.Step] {
    var steps: [DBusStream.Step] = []
    while let step = try stream.next() { steps.append(step) }
    return steps
  }

  @Test func `the user ID is sent as decimal digits in hex`() {
    #expect(DBusStream.opening(user: 100) == [0] + Array("AUTH EXTERNAL 313030\r\n".utf8))
  }

  @Test func `the handshake is processed line by line, however its bytes arrive`() throws {
    var stream = DBusStream(passesDescriptors: true)
    #expect(try steps(&stream, "O").isEmpty)
    #expect(try steps(&stream, "K 1234\r").isEmpty)
    #expect(try steps(&stream, "\n") == [.send(Array("NEGOTIATE_UNIX_FD\r\n".utf8))])
    #expect(try steps(&stream, "AGREE_UNIX_FD\r\n") == [.begin(Array("BEGIN\r\n".utf8))])
    var simple = DBusStream()
    #expect(try steps(&simple, "OK 1234\r\n") == [.begin(Array("BEGIN\r\n".utf8))])
  }

  @Test(arguments: ["REJECTED DBUS_COOKIE_SHA1\r\n", "OK 1\r\nERROR\r\n", String(repeating: "O", count: 5000)])
  func `a failed handshake gives the reason`(words: String) {
    var stream = DBusStream(passesDescriptors: true)
    #expect(throws: DBusError.self) { try steps(&stream, words) }
  }

  @Test func `messages are read one by one, wherever the stream is split`() throws {
    var message = DBusMessage(.signal)
    (message.serial, message.member, message.body) = (4, "Sent", [.string("x")])
    let bytes = message.bytes + message.bytes
    for cut in 0...bytes.count {
      var stream = DBusStream()
      #expect(try steps(&stream, "OK\r\n").count == 1)
      stream.receive(Array(bytes[..<cut]))
      let first = try steps(&stream)
      stream.receive(Array(bytes[cut...]))
      #expect(try first + steps(&stream) == [.message(message), .message(message)], "cut at \(cut)")
    }
  }

  @Test func `a message that is too long is skipped, and the next one is read`() throws {
    var long = DBusMessage(.signal)
    (long.serial, long.body) = (1, [.string(String(repeating: "x", count: DBusStream.longest))])
    var short = DBusMessage(.signal)
    short.serial = 2
    var stream = DBusStream()
    #expect(try steps(&stream, "OK\r\n").count == 1)
    var found: [DBusStream.Step] = []
    let bytes = long.bytes + short.bytes
    for place in stride(from: 0, to: bytes.count, by: 1000) {
      stream.receive(Array(bytes[place..<min(place + 1000, bytes.count)]))
      found += try steps(&stream)
    }
    #expect(found == [.skipped, .message(short)])
  }

  @Test func `bytes that are not a message end the connection`() throws {
    for bytes in [[UInt8](repeating: 0, count: 16), [UInt8(ascii: "l")] + [UInt8](repeating: 0xFF, count: 15)] {
      var stream = DBusStream()
      #expect(try steps(&stream, "OK\r\n").count == 1)
      stream.receive(bytes)
      #expect(throws: DBusError.self) { try steps(&stream) }
    }
  }
}
