import Geometry
import Glibc
import Layout
import Raster
import Scenes

/// A row of the table.
struct Measurement {
  var name: String
  var microseconds: Double
  /// The time to copy one frame, measured right before and after: on a shared machine it varies from second to second.
  var yardstick: Double
}

/// The measurements for one display size.
final class Measurements {
  let metrics: DisplayMetrics
  let rounds: Int
  private(set) var rows: [Measurement] = []
  private let memcpy: FrameCopy

  init(_ metrics: DisplayMetrics, rounds: Int) {
    self.metrics = metrics
    self.rounds = rounds
    memcpy = FrameCopy(bytes: metrics.pixels.area * 4)
  }

  /// Measures an operation between two measurements of the yardstick.
  func measure(_ name: String, _ body: (Int) throws -> Void) rethrows {
    let before = memcpy.times(25)
    let time = try Stopwatch.median(of: rounds, body)
    rows.append(
      Measurement(name: name, microseconds: time, yardstick: Stopwatch.median(before + memcpy.times(25))))
  }

  /// Measures all operations that a display performs with texts.
  func all() throws {
    measure("memcpy of one frame") { _ in memcpy.once() }
    measure("fill of one frame") { round in memcpy.fill(UInt32(round)) }
    let subject = try Subject(metrics)
    try measure("banner: layout + fit + full redraw, warm") { _ in
      subject.canvas.invalidate()
      try subject.show(Texts.banner)
    }
    try measure("  of which layout + fit") { _ in
      _ = try layOut(View(banner: Texts.banner), on: metrics, with: subject.materials)
    }
    try changes(subject)
    let cold = try Subject(metrics, cacheBytes: 0)
    try measure("new text at a new size, no glyph cached") { round in try cold.show(Texts.new(round)) }
    try measure("page of 6500 letters, warm") { _ in
      subject.canvas.invalidate()
      try subject.show(Texts.page)
    }
    try zones()
    try turned()
    try emoji()
    try scrolling()
    let fade = try FadeSubject(metrics)
    measure("a cross-fade begins: two full pictures") { _ in fade.begin() }
    measure("  a frame of it that differs everywhere") { round in fade.step(round) }
    firstFrame()
  }

  /// Measures a second of a clock above a line, which must fit between two frames of the line.
  private func zones() throws {
    let line = ZonedView.Part(.bottom, View(.ticker(Ticker("Gate 17 is boarding now"))))
    let subject = try Subject(metrics)
    try measure("zones: another second of a clock above a line") { round in
      let face = ClockFace(time: "12:30:\(10 + round % 50)", date: "Saturday, 28 November", caption: "Berlin")
      let clock = View(.clock(face))
      let list = try layOut(View(.zones(ZonedView(clock, [line]))), on: metrics, with: subject.materials)
      _ = subject.canvas.draw(list, with: subject.materials)
    }
  }

  /// Measures frames of scrolling scenes: a cached line, a line whose tiles are drawn on demand, and a column.
  private func scrolling() throws {
    let (short, long) = (String(repeating: "welcome ", count: 4), String(repeating: "welcome ", count: 4000))
    let scenes: [(String, View.Content, Bool)] = [
      ("ticker, a picture of a short line", .ticker(Ticker(short)), true),
      ("ticker, a picture of a long line", .ticker(Ticker(long)), false),
      ("Markdown on its way to the next page, a picture", .markdown(MarkdownText(long, flow: .scroll), .start), true),
    ]
    for (name, content, isCompared) in scenes {
      guard let subject = try ScrollSubject(content, metrics) else { continue }
      measureMean("\(name), on average") { subject.step() }
      guard isCompared else { continue }
      let copy = FrameCopy(bytes: subject.windowBytes)
      measureMean("  memcpy of what moves") { copy.once() }
    }
  }

  /// Measures the mean of many calls, because single calls vary in cost.
  private func measureMean(_ name: String, _ body: () -> Void) {
    let before = memcpy.times(25)
    let count = 5 * rounds
    let time = Stopwatch.time { for _ in 0..<count { body() } } / Double(count)
    rows.append(
      Measurement(name: name, microseconds: time, yardstick: Stopwatch.median(before + memcpy.times(25))))
  }

  /// Measures the banner with a rotated display.
  ///
  /// On an upright display, the line breaks differ.
  private func turned() throws {
    for rotation in Rotation.allCases where rotation != .none {
      let subject = try Subject(metrics, rotation: rotation)
      try measure("banner turned by \(rotation.rawValue), full redraw, warm") { _ in
        subject.canvas.invalidate()
        try subject.show(Texts.banner)
      }
    }
    let subject = try Subject(metrics, rotation: .quarter)
    try measure("page of 6500 letters turned by 90, warm") { _ in
      subject.canvas.invalidate()
      try subject.show(Texts.page)
    }
  }

  /// Measures an emoji that fills the display, uncached and cached.
  private func emoji() throws {
    guard FontFiles.hasEmoji else { return }
    for (name, bytes) in [("nothing cached", 0), ("warm", 64 << 20)] {
      let subject = try Subject(metrics, cacheBytes: bytes)
      try measure("an emoji that fills the display, \(name)") { _ in
        subject.canvas.invalidate()
        try subject.show("\u{1F98A}", font: FontFiles.emoji)
      }
    }
  }

  private func changes(_ subject: Subject) throws {
    try measure("one number changes (Gate 17, Gate 18)") { round in try subject.show(Texts.number[round % 2]) }
    try measure("one word changes (front, north)") { round in try subject.show(Texts.word[round % 2]) }
    try measure("nothing changes") { _ in try subject.show(Texts.word[0]) }
  }

  /// Measures the first frame in fresh processes.
  ///
  /// The number of runs is smaller, because each takes long.
  private func firstFrame() {
    let before = memcpy.times(15)
    guard let time = FirstFrame.fresh(metrics.pixels, times: 15) else { return }
    rows.append(
      Measurement(name: "first frame of a fresh process", microseconds: time, yardstick: Stopwatch.median(before)))
  }
}

/// The yardstick: a copy between two buffers of one frame each.
@safe
final class FrameCopy {
  private let source: UnsafeMutableRawBufferPointer
  private let target: UnsafeMutableRawBufferPointer

  init(bytes: Int) {
    unsafe source = allocateHugePages(byteCount: bytes)
    unsafe target = allocateHugePages(byteCount: bytes)
    unsafe source.initializeMemory(as: UInt8.self, repeating: 1)
    unsafe target.initializeMemory(as: UInt8.self, repeating: 2)
  }

  deinit {
    unsafe source.deallocate()
    unsafe target.deallocate()
  }

  func once() { unsafe target.copyMemory(from: UnsafeRawBufferPointer(source)) }

  func clear() {
    guard let start = unsafe target.baseAddress else { return }
    unsafe memset(start, 1, target.count)
  }

  func fill(_ pixel: UInt32) { unsafe target.assumingMemoryBound(to: UInt32.self).update(repeating: pixel) }

  /// Returns the times of several copies.
  ///
  /// An uncounted copy before them warms the CPU caches.
  func times(_ count: Int) -> [Double] {
    once()
    return (0..<count).map { _ in Stopwatch.time { once() } }
  }
}
