import CLinux

/// Reads the report of a message that has nothing to warn of.
struct FastReport {
  /// A display that shows the message.
  struct Showing {
    var display: [UInt8] = []
    var milliseconds = 0.0

    /// The line of the standard output, with the time in tenths of a millisecond.
    var line: [UInt8] {
      let scaled = milliseconds * 10
      let tenths = Int(scaled) + (scaled - Double(Int(scaled)) >= 0.5 ? 1 : 0)
      return display + Array(": shown after \(tenths / 10).\(tenths % 10) ms\n".utf8)
    }
  }

  private var rest: ArraySlice<UInt8>

  /// Returns where the message is shown; nil if the report is not JSON, or says more.
  static func read(_ body: ArraySlice<UInt8>) -> [Showing]? {
    var report = FastReport(rest: body)
    var shown: [Showing]?
    let isPlain = report.members { key, report in
      if key.elementsEqual("id".utf8) { return report.number() != nil }
      if key.elementsEqual("text".utf8) || key.elementsEqual("display".utf8) { return report.string() != nil }
      if key.elementsEqual("notShown".utf8) || key.elementsEqual("warnings".utf8) {
        return report.list("[", "]") { _ in false }
      }
      guard key.elementsEqual("shown".utf8) else { return false }
      shown = report.showings()
      return shown != nil
    }
    return isPlain && report.rest.isEmpty ? shown : nil
  }

  private mutating func showings() -> [Showing]? {
    var showings: [Showing] = []
    let isPlain = list("[", "]") { report in
      var showing = Showing()
      let isPlain = report.members { key, report in
        if key.elementsEqual("flipTime".utf8) { return report.number() != nil }
        if key.elementsEqual("display".utf8), let name = report.string() {
          showing.display = name
          return !name.contains(UInt8(ascii: "\\")) && name.allSatisfy { (0x20..<0x7F).contains($0) }
        }
        guard key.elementsEqual("milliseconds".utf8), let number = report.number() else { return false }
        showing.milliseconds = number
        return (0..<1e12).contains(number)
      }
      showings.append(showing)
      return isPlain
    }
    return isPlain ? showings : nil
  }
}

// MARK: - JSON as the service writes it, without blanks

extension FastReport {
  /// Reads an object. Each key is read; the closure reads its value, and says whether that is as expected.
  private mutating func members(_ each: ([UInt8], inout FastReport) -> Bool) -> Bool {
    list("{", "}") { report in
      guard let key = report.string(), report.take(":") else { return false }
      return each(key, &report)
    }
  }

  private mutating func list(
    _ start: Unicode.Scalar, _ end: Unicode.Scalar, _ each: (inout FastReport) -> Bool
  ) -> Bool {
    guard take(start) else { return false }
    if take(end) { return true }
    repeat {
      guard each(&self) else { return false }
    } while take(",")
    return take(end)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// The bytes between the quotes, with their escapes.
  private mutating func string() -> [UInt8]? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return text }
      text.append(byte)
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escaped)
    }
    return nil
  }

  private mutating func number() -> Double? {
    let digits = rest.prefix { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
    guard let first = digits.first, (48...57).contains(first), digits.count < 40 else { return nil }
    rest = rest.dropFirst(digits.count)
    let text = digits.map { CChar(bitPattern: $0) } + [0]
    return unsafe strtod(text, nil)
  }
}
