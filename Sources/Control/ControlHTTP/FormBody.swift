import Primitives

/// The fields of a form as browsers send it (application/x-www-form-urlencoded).
enum FormBody {
  /// Returns the first value of a field, which is empty if the field is missing or its escapes are invalid.
  static func value(of name: String, in body: [UInt8]) -> [UInt8] {
    for pair in body.split(separator: UInt8(ascii: "&")) where pair.starts(with: "\(name)=".utf8) {
      // A plus sign stands for a space.
      let text = pair.dropFirst(name.utf8.count + 1).map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      return PercentEncoding.decode(text) ?? []
    }
    return []
  }
}
