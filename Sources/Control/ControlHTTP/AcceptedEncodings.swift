/// The content codings that a request's Accept-Encoding allows (RFC 9110, 12.5.3).
struct AcceptedEncodings {
  /// Whether the response may be compressed with gzip.
  let allowGzip: Bool

  /// Parses the lines of the header.
  ///
  /// Without the header, nothing is compressed, because the client may not decompress by itself.
  ///
  /// - Parameter lines: The values of all Accept-Encoding lines.
  init(_ lines: [String]) {
    var weights: [String: Bool] = [:]
    for part in lines.joined(separator: ",").split(separator: ",") {
      let words = part.split { " \t;".contains($0) }
      guard let name = words.first?.lowercased() else { continue }
      weights[name] = words.dropFirst().allSatisfy { !Self.isZero($0) }
    }
    allowGzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? false
  }

  /// Returns whether a parameter is `q=0`, `q=0.0` or similar.
  private static func isZero(_ parameter: Substring) -> Bool {
    let value = parameter.lowercased()
    return value.hasPrefix("q=0") && value.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
  }
}
