/// The report of a message without warnings.
struct FastReport {
  /// A display that shows the message.
  struct Showing {
    var display: [UInt8] = []
    var milliseconds = 0.0

    /// The line for standard output, with the time in tenths of a millisecond. Without one, no new frame was needed.
    var line: [UInt8] {
      if milliseconds == 0 { return display + Array(": already shown\n".utf8) }
      return display + Array(": shown after \(tenths(milliseconds)) ms\n".utf8)
    }
  }

  /// The distance from which the smallest text on a display is readable.
  struct Legibility {
    var display: [UInt8] = []
    var letterHeight = 0.0
    var readableDistance = 0.0

    /// The line for standard output.
    var line: [UInt8] {
      display + Array(": \(ShowTexts.legibility(tenths(letterHeight), tenths(readableDistance)))\n".utf8)
    }
  }

  var shown: [Showing] = []
  var legibility: [Legibility] = []

  /// Returns the report, or nil if it is not valid JSON or contains anything else.
  static func read(_ body: ArraySlice<UInt8>) -> FastReport? {
    var (json, report, hasShown) = (FastJSON(body), FastReport(), false)
    let isPlain = json.members { key, json in
      if key.elementsEqual("id".utf8) { return json.number() != nil }
      if key.elementsEqual("text".utf8) || key.elementsEqual("display".utf8) { return json.string() != nil }
      if key.elementsEqual("notShown".utf8) || key.elementsEqual("warnings".utf8) {
        return json.list("[", "]") { _ in false }
      }
      if key.elementsEqual("legibility".utf8) { return json.list("[", "]") { report.addLegibility(&$0) } }
      guard key.elementsEqual("shown".utf8) else { return false }
      hasShown = true
      return json.list("[", "]") { report.addShowing(&$0) }
    }
    return isPlain && hasShown && json.isAtEnd ? report : nil
  }

  private mutating func addShowing(_ json: inout FastJSON) -> Bool {
    var showing = Showing()
    let isPlain = json.members { key, json in
      if key.elementsEqual("flipTime".utf8) { return json.number() != nil }
      if key.elementsEqual("display".utf8) { return Self.read(&showing.display, &json) }
      return key.elementsEqual("milliseconds".utf8) && Self.read(&showing.milliseconds, &json)
    }
    shown.append(showing)
    return isPlain
  }

  private mutating func addLegibility(_ json: inout FastJSON) -> Bool {
    var each = Legibility()
    let isPlain = json.members { key, json in
      if key.elementsEqual("distance".utf8) { return json.number() != nil }
      if key.elementsEqual("display".utf8) { return Self.read(&each.display, &json) }
      if key.elementsEqual("letterHeight".utf8) { return Self.read(&each.letterHeight, &json) }
      return key.elementsEqual("readableDistance".utf8) && Self.read(&each.readableDistance, &json)
    }
    legibility.append(each)
    return isPlain
  }

  private static func read(_ display: inout [UInt8], _ json: inout FastJSON) -> Bool {
    guard let name = json.string() else { return false }
    display = name
    return !name.contains(UInt8(ascii: "\\")) && name.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  private static func read(_ value: inout Double, _ json: inout FastJSON) -> Bool {
    guard let number = json.number() else { return false }
    value = number
    return (0..<1e12).contains(number)
  }
}

/// Returns a number that is not negative with one decimal.
private func tenths(_ number: Double) -> String {
  let scaled = number * 10
  let tenths = Int(scaled) + (scaled - Double(Int(scaled)) >= 0.5 ? 1 : 0)
  return "\(tenths / 10).\(tenths % 10)"
}
