/// The client side of a D-Bus connection as a state machine without I/O.
///
/// The caller feeds received bytes to `receive(_:)` and performs the steps that `next()` returns. The connection starts
/// with the handshake lines (SASL EXTERNAL: the server reads the user ID from the socket's credentials). Messages
/// follow.
package struct DBusStream: Sendable {
  /// The next action for the caller.
  package enum Step: Hashable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Send these bytes.
    ///
    /// Messages may follow from now on.
    case begin([UInt8])
    /// A message was received.
    case message(DBusMessage)
    /// A message over the size limit was discarded.
    ///
    /// Discard its file descriptors.
    case skipped
  }

  private enum State { case authenticating, negotiating, begun }

  /// The maximum size of an accepted message, in bytes.
  ///
  /// D-Bus allows 128 MiB, and any local user can send signals.
  static let longest = 1 << 16

  private var state = State.authenticating
  private let passesDescriptors: Bool
  private var bytes: [UInt8] = []
  /// The number of bytes still to discard from an oversized message.
  private var skipped = 0

  /// Creates the state of a new connection.
  ///
  /// - Parameter passesDescriptors: Whether the server must agree to pass file descriptors. If it refuses, `next()`
  ///   throws.
  package init(passesDescriptors: Bool = false) { self.passesDescriptors = passesDescriptors }

  /// Returns the first bytes that a client sends: a NUL byte and the AUTH line with the hex-encoded decimal user ID.
  package static func opening(user: UInt32) -> [UInt8] {
    let digits = "\(user)".utf8.map { String($0, radix: 16) }.joined()
    return [0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8)
  }

  /// Appends received bytes to the input buffer.
  package mutating func receive(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Returns the next step of the connection.
  ///
  /// - Throws: `DBusError` if the server refuses the client or violates the protocol. The connection is then unusable.
  /// - Returns: The next step, or nil until more bytes are received.
  package mutating func next() throws(DBusError) -> Step? {
    if case .begun = state { return try nextMessage() }
    guard let line = try nextLine() else { return nil }
    if case .authenticating = state {
      guard line.hasPrefix("OK") else { throw DBusError("it refused this user: \(line)") }
      guard passesDescriptors else { return begin() }
      state = .negotiating
      return .send(Array("NEGOTIATE_UNIX_FD\r\n".utf8))
    }
    guard line.hasPrefix("AGREE_UNIX_FD") else { throw DBusError("it does not support descriptor passing: \(line)") }
    return begin()
  }

  private mutating func begin() -> Step {
    state = .begun
    return .begin(Array("BEGIN\r\n".utf8))
  }

  private mutating func nextLine() throws(DBusError) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      guard bytes.count < 4096 else { throw DBusError("its handshake has a line that is too long") }
      return nil
    }
    let line = bytes[..<end].filter { $0 != UInt8(ascii: "\r") }
    bytes.removeFirst(end + 1)
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func nextMessage() throws(DBusError) -> Step? {
    if skipped > 0 { return skip() }
    guard let length = try DBusMessage.length(at: bytes) else { return nil }
    guard length <= Self.longest else {
      skipped = length
      return skip()
    }
    guard bytes.count >= length else { return nil }
    let message = try DBusMessage(Array(bytes[..<length]))
    bytes.removeFirst(length)
    return .message(message)
  }

  private mutating func skip() -> Step? {
    let count = min(skipped, bytes.count)
    bytes.removeFirst(count)
    skipped -= count
    return skipped == 0 ? .skipped : nil
  }
}
