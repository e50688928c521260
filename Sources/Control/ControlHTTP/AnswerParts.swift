/// An answer of unknown length that is made in parts, each after the client has received the previous one.
struct AnswerParts: Sendable {
  /// The media type.
  let type: String
  /// The function that makes the next part, and returns nil at the end.
  let next: @Sendable () async throws -> [UInt8]?
}
