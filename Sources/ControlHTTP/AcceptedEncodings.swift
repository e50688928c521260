/// What a request's Accept-Encoding allows (RFC 9110, 12.5.3).
struct AcceptedEncodings {
  /// Whether the answer may be compressed with gzip.
  let allowGzip: Bool

  /// Reads the lines of the header. Without one, only clients that decompress by themselves would be served well by
  /// gzip, so nothing is compressed.
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

  /// Whether a parameter is `q=0`, `q=0.0` or the like.
  private static func isZero(_ parameter: Substring) -> Bool {
    let value = parameter.lowercased()
    return value.hasPrefix("q=0") && value.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
  }
}
