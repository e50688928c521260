/// An HTTP/1.1 response as far as it has arrived.
package struct FastReply: Sendable {
  /// The maximum size in bytes; larger responses are left to the full program.
  ///
  /// `FullProgram` passes a response on through a Unix socket, so it must fit into the socket's buffer.
  static let limit = 48 << 10

  /// All bytes so far, header and body.
  package private(set) var bytes: [UInt8] = []

  /// Creates a response from the bytes that have arrived.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func append(_ part: ArraySlice<UInt8>) { bytes += part }

  /// Whether the header and as many bytes of the body as its `Content-Length` have arrived.
  ///
  /// It stays false for a response without `Content-Length`.
  package var isComplete: Bool {
    guard let body, let length = length else { return false }
    return bytes.count - body >= length
  }

  /// The body of a complete response with status 200; nil for any other.
  var acceptedBody: ArraySlice<UInt8>? {
    guard isComplete, let body, bytes.starts(with: "HTTP/1.1 200 ".utf8) else { return nil }
    return bytes[body...]
  }

  /// The offset of the body; nil before the header is complete.
  private var body: Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count else { return nil }
    let place = (0...bytes.count - end.count).first { bytes[$0] == 13 && bytes[$0..<$0 + 4].elementsEqual(end) }
    return place.map { $0 + end.count }
  }

  /// The value of `Content-Length`; nil if it is missing or is not a number of at most seven digits.
  private var length: Int? {
    guard let value = field("content-length:") else { return nil }
    let digits = value.filter { $0 != 32 && $0 != 13 }
    guard !digits.isEmpty, digits.count < 8, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Returns the value of a header field; `name` is in lowercase and ends with a colon.
  private func field(_ name: String) -> ArraySlice<UInt8>? {
    guard let body else { return nil }
    let name = Array(name.utf8)
    for line in bytes[..<body].split(separator: 10) where line.count > name.count {
      guard zip(line, name).allSatisfy({ $0 == $1 || (65...90).contains($0) && $0 + 32 == $1 }) else { continue }
      return line.dropFirst(name.count)
    }
    return nil
  }

  /// Returns the text for standard output, and the exit status, for an answer to a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - style: The style of standard output.
  ///   - now: The current time in milliseconds since 1970-01-01 00:00 UTC.
  /// - Returns: Nil for every answer that only the full program can report: a refusal, a warning, an unknown member, or
  ///   a display that does not show the message. Nil also for a text that needs Unicode tables or wrapping.
  package func output(
    of command: FastCommand, on style: FastStyle = FastStyle(), now: Int
  ) -> (text: [UInt8], status: Int32)? {
    guard let body = acceptedBody else { return nil }
    switch command.action {
    case .show:
      guard let report = FastReport.read(body), !command.waits || !report.shown.isEmpty else { return nil }
      let shown = command.waits ? report.shown.map { $0.line } : []
      return ((shown + report.legibility.map { $0.line }).reduce(into: []) { $0 += $1 }, 0)
    case .clear: return FastClear.lines(body, display: command.display).map { (Self.text($0), 0) }
    case .health: return FastHealth.read(body).map { (Self.text($0.lines(style)), $0.isOK ? 0 : 1) }
    case .displays, .sleep, .wake:
      // The list continues in another response (RFC 8288).
      guard field("link:") == nil else { return nil }
      let displays = FastDisplays.read(body) { FastClock.short(milliseconds: $0, now: now) }
      return displays?.lines(style).map { (Self.text($0), 0) }
    }
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    lines.reduce(into: []) { $0 += Array($1.utf8) + [UInt8(ascii: "\n")] }
  }
}
