/// A reader for the report of a `clear` request after which no message remains.
enum FastClear {
  /// Returns the lines for standard output.
  ///
  /// - Parameters:
  ///   - body: The report as JSON.
  ///   - display: The display that was cleared; nil for all displays.
  /// - Returns: The lines; nil if the report is not valid JSON or contains anything else.
  static func lines(_ body: ArraySlice<UInt8>, display: [UInt8]?) -> [String]? {
    var json = FastJSON(body)
    var ended: [String] = []
    let isPlain = json.members { key, json in
      if key.elementsEqual("remaining".utf8) { return json.list("[", "]") { _ in false } }
      guard key.elementsEqual("removed".utf8) else { return false }
      return json.list("[", "]") { json in
        guard let line = message(&json) else { return false }
        ended.append(line)
        return true
      }
    }
    guard isPlain, json.isAtEnd else { return nil }
    guard ended.isEmpty else { return ended }
    return [ClearTexts.none(on: display.map { String(decoding: $0, as: UTF8.self) })]
  }

  private static func message(_ json: inout FastJSON) -> String? {
    var id: Int?
    var summary: String?
    let isPlain = json.members { key, json in
      if key.elementsEqual("id".utf8) {
        id = json.integer()
        return id != nil
      }
      guard key.elementsEqual("summary".utf8), let line = json.line() else { return false }
      summary = line
      return true
    }
    guard isPlain, let id, let summary else { return nil }
    return ClearTexts.ended(id, summary)
  }
}
