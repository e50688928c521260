/// The bytes of an HTTP/1.1 answer as they come.
public struct FastReply: Sendable {
  /// More than this is left to the full program. It fits into the buffer of a Unix socket.
  static let limit = 48 << 10

  /// All bytes so far, head and body.
  public private(set) var bytes: [UInt8] = []

  /// An answer of which these bytes have come.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func append(_ part: ArraySlice<UInt8>) { bytes += part }

  /// Whether the head and as many bytes as it announces are there. Without an announcement the connection's end decides.
  public var isComplete: Bool {
    guard let body, let length = length else { return false }
    return bytes.count - body >= length
  }

  /// The body of an answer that accepts the request; nil for any other.
  var acceptedBody: ArraySlice<UInt8>? {
    guard isComplete, let body, bytes.starts(with: "HTTP/1.1 200 ".utf8) else { return nil }
    return bytes[body...]
  }

  /// Where the body starts.
  private var body: Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count else { return nil }
    let place = (0...bytes.count - end.count).first { bytes[$0] == 13 && bytes[$0..<$0 + 4].elementsEqual(end) }
    return place.map { $0 + end.count }
  }

  /// The value of the field `content-length`; nil if it is missing or not a small number.
  private var length: Int? {
    guard let value = field("content-length:") else { return nil }
    let digits = value.filter { $0 != 32 && $0 != 13 }
    guard !digits.isEmpty, digits.count < 8, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// The bytes of a field of the head; its name is in lower case, with a colon.
  private func field(_ name: String) -> ArraySlice<UInt8>? {
    guard let body else { return nil }
    let name = Array(name.utf8)
    for line in bytes[..<body].split(separator: 10) where line.count > name.count {
      guard zip(line, name).allSatisfy({ $0 == $1 || (65...90).contains($0) && $0 + 32 == $1 }) else { continue }
      return line.dropFirst(name.count)
    }
    return nil
  }

  /// Returns what the standard output says of an answer to a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - paper: What the standard output is.
  ///   - now: Milliseconds since the beginning of 1970, UTC.
  /// - Returns: Nil for every answer with more to say: a refusal, a warning, a display that does not show it, a text that
  ///   needs tables of Unicode or several lines of a narrow terminal, or a field that is not known here.
  public func output(
    of command: FastCommand, on paper: FastPaper = FastPaper(), now: Int
  ) -> (text: [UInt8], status: Int32)? {
    guard let body = acceptedBody else { return nil }
    switch command.action {
    case .show:
      guard let shown = FastReport.read(body) else { return nil }
      guard command.waits else { return ([], 0) }
      return shown.isEmpty ? nil : (shown.reduce(into: []) { $0 += $1.line }, 0)
    case .clear: return FastClear.lines(body, display: command.display).map { (Self.text($0), 0) }
    case .health: return FastHealth.read(body).map { (Self.text($0.lines(paper)), $0.isOK ? 0 : 1) }
    case .displays, .sleep, .wake:
      // The list goes on in another answer (RFC 8288).
      guard field("link:") == nil else { return nil }
      let displays = FastDisplays.read(body) { FastClock.short(milliseconds: $0, now: now) }
      return displays?.lines(paper).map { (Self.text($0), 0) }
    }
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    lines.reduce(into: []) { $0 += Array($1.utf8) + [UInt8(ascii: "\n")] }
  }
}
