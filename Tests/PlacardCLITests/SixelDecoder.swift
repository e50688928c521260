import Geometry
import Pictures

/// A decoder for sixels with the parts of DEC's manual that the encoder uses.
enum SixelDecoder {
  static func decode(_ bytes: [UInt8]) -> RGBImage? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("\u{1b}P"), text.hasSuffix("\u{1b}\\"), let start = text.firstIndex(of: "q") else {
      return nil
    }
    var rest = Substring(text[text.index(after: start)...].dropLast(2))
    guard rest.popFirst() == "\"" else { return nil }
    let measures = numbers(&rest)
    guard measures.count == 4 else { return nil }
    var canvas = Canvas(size: Size(measures[2], measures[3]))
    while let letter = rest.popFirst() {
      switch letter {
      case "#":
        let values = numbers(&rest)
        if values.count == 5 { canvas.define(values) }
        canvas.color = values[0]
      case "!":
        let count = number(&rest)
        guard let sixel = rest.popFirst()?.asciiValue else { return nil }
        canvas.draw(sixel, count)
      case "$": canvas.x = 0
      case "-": (canvas.x, canvas.y) = (0, canvas.y + 6)
      default: canvas.draw(letter.asciiValue ?? 0, 1)
      }
      if canvas.isOver { return nil }
    }
    return try? RGBImage(size: canvas.size) { canvas.pixels[$1 * canvas.size.width + $0] }
  }

  private struct Canvas {
    let size: Size
    var (x, y, color) = (0, 0, 0)
    var isOver = false
    var pixels: [Color]
    private var colors: [Int: Color] = [:]

    init(size: Size) {
      self.size = size
      pixels = [Color](repeating: .black, count: size.area)
    }

    mutating func define(_ values: [Int]) {
      let channels = values[2...].map { UInt8(($0 * 255 + 50) / 100) }
      colors[values[0]] = Color(red: channels[0], green: channels[1], blue: channels[2])
    }

    /// Draws a sixel a number of times; bits below the image must be empty.
    mutating func draw(_ letter: UInt8, _ count: Int) {
      guard (0x3F...0x7E).contains(letter), x + count <= size.width, let color = colors[color] else {
        isOver = true
        return
      }
      for bit in 0..<6 where (letter - 0x3F) >> UInt8(bit) & 1 == 1 {
        guard y + bit < size.height else { return isOver = true }
        for place in x..<x + count { pixels[(y + bit) * size.width + place] = color }
      }
      x += count
    }
  }

  private static func number(_ rest: inout Substring) -> Int {
    let digits = rest.prefix { $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return Int(digits) ?? 0
  }

  private static func numbers(_ rest: inout Substring) -> [Int] {
    var all = [number(&rest)]
    while rest.first == ";" {
      rest = rest.dropFirst()
      all.append(number(&rest))
    }
    return all
  }
}
