/// Fuzzes the D-Bus connection with bytes from libFuzzer. No bytes from the bus may trap, and a message that is read
/// must be equal after it is written and read again.
func fuzzDBus(_ bytes: [UInt8]) {
  guard !bytes.isEmpty else { return }
  // The first byte selects whether the handshake is included, and the size of the parts.
  var stream = DBusStream(passesDescriptors: bytes[0] & 1 == 0)
  if bytes[0] & 2 == 0 { stream.receive(Array("OK 0\r\nAGREE_UNIX_FD\r\n".utf8)) }
  let step = max(Int(bytes[0] >> 2), 1)
  var session = LogindSession()
  for case .send(let call) in session.opened() where call.member == "GetNameOwner" {
    var owner = DBusMessage(.reply)
    (owner.replySerial, owner.body) = (call.serial, [.string(":1")])
    _ = session.handle(owner)
  }
  for place in stride(from: 1, to: bytes.count, by: step) {
    stream.receive(Array(bytes[place..<min(place + step, bytes.count)]))
    do throws(DBusError) {
      while let step = try stream.next() {
        guard case .message(let message) = step else { continue }
        checkWriting(message)
        _ = session.handle(message)
      }
    } catch {
      precondition(!error.description.isEmpty)
      return
    }
  }
}

/// Values are compared as bytes, because NaN is not equal to itself. Invalid UTF-8 has been repaired, which can make a
/// signature longer than its length byte allows. Such signatures are skipped.
private func checkWriting(_ message: DBusMessage) {
  let written = message.bytes
  guard let length = try? DBusMessage.length(at: written), length == written.count else {
    preconditionFailure("a message was written with a wrong length")
  }
  guard !"\(message)".contains("\u{FFFD}") else { return }
  guard let again = try? DBusMessage(written), again.bytes == written else {
    preconditionFailure("a message was not read as it was written")
  }
}
