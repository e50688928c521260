/// Bytes of libFuzzer's choice: a bus that says anything must not trap, and what is read as a message
/// is the same when it is written and read again.
func fuzzDBus(_ bytes: [UInt8]) {
  guard !bytes.isEmpty else { return }
  // The first byte chooses: whether the handshake is given, and how much comes at once.
  var stream = DBusStream(passesDescriptors: bytes[0] & 1 == 0)
  if bytes[0] & 2 == 0 { stream.receive(Array("OK 0\r\nAGREE_UNIX_FD\r\n".utf8)) }
  let step = max(Int(bytes[0] >> 2), 1)
  var session = LogindSession()
  for case .send(let call) in session.opened() where call.member == "GetNameOwner" {
    var owner = DBusMessage(.reply)
    (owner.replySerial, owner.body) = (call.serial, [.string(":1")])
    _ = session.take(owner)
  }
  for place in stride(from: 1, to: bytes.count, by: step) {
    stream.receive(Array(bytes[place..<min(place + step, bytes.count)]))
    do throws(DBusError) {
      while let step = try stream.next() {
        guard case .message(let message) = step else { continue }
        checkWriting(message)
        _ = session.take(message)
      }
    } catch {
      precondition(!error.description.isEmpty)
      return
    }
  }
}

/// Values are compared as bytes, since no NaN is like itself. Texts that were no UTF-8 have been repaired, so that a
/// signature may have become longer than its byte can say: those are left out.
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
