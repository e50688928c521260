/// A client's side of a connection, without the connection: bytes go in, what is to be done comes out.
///
/// First the lines of the handshake (SASL EXTERNAL: the peer knows the user by the socket), then messages.
public struct DBusStream: Sendable {
  /// What is to be done next.
  public enum Step: Hashable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Send these bytes; messages may follow them from now on.
    case begin([UInt8])
    /// A message came.
    case message(DBusMessage)
    /// A message came that was too long to be for us; what came with it is of no use.
    case skipped
  }

  private enum State { case authenticating, negotiating, begun }

  /// The longest message that is read, in bytes. D-Bus allows 128 MiB, and any user may send us a signal.
  static let longest = 1 << 16

  private var state = State.authenticating
  private let passesDescriptors: Bool
  private var bytes: [UInt8] = []
  /// How many bytes of a message that is passed over are still to come.
  private var skipped = 0

  /// A connection's start. With `passesDescriptors` the peer must agree that messages carry descriptors.
  public init(passesDescriptors: Bool = false) { self.passesDescriptors = passesDescriptors }

  /// What a client sends first: a zero byte, then the user's number in decimal, its digits in hex.
  public static func opening(user: UInt32) -> [UInt8] {
    let digits = "\(user)".utf8.map { String($0, radix: 16) }.joined()
    return [0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8)
  }

  /// Takes bytes in, as they come.
  public mutating func receive(_ bytes: [UInt8]) { self.bytes += bytes }

  /// What is to be done next; nil until more bytes come. After an error the connection is of no more use.
  public mutating func next() throws(DBusError) -> Step? {
    if case .begun = state { return try nextMessage() }
    guard let line = try nextLine() else { return nil }
    if case .authenticating = state {
      guard line.hasPrefix("OK") else { throw DBusError("it refuses this user: \(line)") }
      guard passesDescriptors else { return begin() }
      state = .negotiating
      return .send(Array("NEGOTIATE_UNIX_FD\r\n".utf8))
    }
    guard line.hasPrefix("AGREE_UNIX_FD") else { throw DBusError("it passes no descriptors: \(line)") }
    return begin()
  }

  private mutating func begin() -> Step {
    state = .begun
    return .begin(Array("BEGIN\r\n".utf8))
  }

  private mutating func nextLine() throws(DBusError) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      guard bytes.count < 4096 else { throw DBusError("its handshake has a line without an end") }
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
