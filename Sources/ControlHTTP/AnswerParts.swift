/// An answer of unknown length that is made in parts, each when the client has taken the one before.
struct AnswerParts: Sendable {
  /// The media type.
  let type: String
  /// Makes the next part; nil at the end.
  let next: @Sendable () async throws -> [UInt8]?
}
