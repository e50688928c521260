import Geometry
import Glibc

/// The command loop of a comparison, on standard input, with the protocol of scripts/bench.d/pango.c.
///
/// Both programs use the same protocol, so they can be measured alternately.
enum Server {
  static func run(_ pixels: Size, font: String, fontMemory: String?) throws {
    // Startup before the first drawing counts toward the first frame.
    let side = try PlacardRenderer(pixels, font: font, fontMemory: fontMemory)
    while let header = try Stream.read(13, from: 0) {
      let count = Int(String(decoding: header[2..<12], as: UTF8.self)) ?? 0
      guard let bytes = try Stream.read(count, from: 0) else { return }
      let answer = try answer(header[0], bytes, side)
      try Stream.write(Array(answer.text.utf8), to: 1)
    }
  }

  private static func answer(_ command: UInt8, _ bytes: [UInt8], _ side: PlacardRenderer) throws -> Answer {
    switch command {
    case UInt8(ascii: "M"): return Answer(done: Process.peakMemory())
    case UInt8(ascii: "P"):
      try Stream.save(try side.png(), as: String(decoding: bytes, as: UTF8.self))
      return Answer(done: 0)
    default:
      let start = Stopwatch.now()
      let text = String(decoding: bytes, as: UTF8.self)
      let drawing = try command == UInt8(ascii: "F") ? side.redraw(text) : side.change(to: text)
      let done = Stopwatch.now()
      return Answer(done: done, duration: done - start, size: drawing.size, area: drawing.area)
    }
  }
}

/// The answer to a command.
struct Answer {
  /// The completion time of the pixels, in nanoseconds of CLOCK_MONOTONIC.
  ///
  /// For memory queries, a size in kB.
  var done: Int
  /// The drawing time in nanoseconds.
  var duration = 0
  /// The font size in 64ths of a pixel.
  var size = 0
  /// The number of painted pixels.
  var area = 0

  var text: String { "\(done) \(duration) \(size) \(area)\n" }

  init(done: Int, duration: Int = 0, size: Int = 0, area: Int = 0) {
    self.done = done
    self.duration = duration
    self.size = size
    self.area = area
  }

  /// Parses an answer line, or returns nil if it is malformed.
  init?(_ line: String) {
    let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    self.init(done: numbers[0], duration: numbers[1], size: numbers[2], area: numbers[3])
  }
}
