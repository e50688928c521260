/// A reader for the report of a message without warnings.
enum FastReport {
  /// A display that shows the message.
  struct Showing {
    var display: [UInt8] = []
    var milliseconds = 0.0

    /// The line for standard output, with the time in tenths of a millisecond. Without one, no new frame was needed.
    var line: [UInt8] {
      if milliseconds == 0 { return display + Array(": already shown\n".utf8) }
      let scaled = milliseconds * 10
      let tenths = Int(scaled) + (scaled - Double(Int(scaled)) >= 0.5 ? 1 : 0)
      return display + Array(": shown after \(tenths / 10).\(tenths % 10) ms\n".utf8)
    }
  }

  /// Returns the displays that show the message, or nil if the report is not valid JSON or contains anything else.
  static func read(_ body: ArraySlice<UInt8>) -> [Showing]? {
    var json = FastJSON(body)
    var shown: [Showing]?
    let isPlain = json.members { key, json in
      if key.elementsEqual("id".utf8) { return json.number() != nil }
      if key.elementsEqual("text".utf8) || key.elementsEqual("display".utf8) { return json.string() != nil }
      if key.elementsEqual("notShown".utf8) || key.elementsEqual("warnings".utf8) {
        return json.list("[", "]") { _ in false }
      }
      guard key.elementsEqual("shown".utf8) else { return false }
      shown = showings(&json)
      return shown != nil
    }
    return isPlain && json.isAtEnd ? shown : nil
  }

  private static func showings(_ json: inout FastJSON) -> [Showing]? {
    var showings: [Showing] = []
    let isPlain = json.list("[", "]") { json in
      var showing = Showing()
      let isPlain = json.members { key, json in
        if key.elementsEqual("flipTime".utf8) { return json.number() != nil }
        if key.elementsEqual("display".utf8), let name = json.string() {
          showing.display = name
          return !name.contains(UInt8(ascii: "\\")) && name.allSatisfy { (0x20..<0x7F).contains($0) }
        }
        guard key.elementsEqual("milliseconds".utf8), let number = json.number() else { return false }
        showing.milliseconds = number
        return (0..<1e12).contains(number)
      }
      showings.append(showing)
      return isPlain
    }
    return isPlain ? showings : nil
  }
}
