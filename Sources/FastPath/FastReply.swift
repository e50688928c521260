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
    guard let body else { return nil }
    let name = Array("content-length:".utf8)
    for line in bytes[..<body].split(separator: 10) where line.count > name.count {
      guard zip(line, name).allSatisfy({ $0 == $1 || (65...90).contains($0) && $0 + 32 == $1 }) else { continue }
      let digits = line.dropFirst(name.count).filter { $0 != 32 && $0 != 13 }
      guard !digits.isEmpty, digits.count < 8, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    return nil
  }

  /// Returns what the standard output says of an answer to a command.
  ///
  /// - Parameter waits: Whether the command waited for the frame.
  /// - Returns: Nil for every answer with more to say: a refusal, a warning, a display that does not show it, or a field
  ///   that is not known here.
  public func output(waits: Bool) -> [UInt8]? {
    guard let body = acceptedBody, let shown = FastReport.read(body) else { return nil }
    guard waits else { return [] }
    return shown.isEmpty ? nil : shown.reduce(into: []) { $0 += $1.line }
  }
}
