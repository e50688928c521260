/// The entry point that libFuzzer calls with its input. Every text must be laid out in every box without a trap, and
/// its ink must stay in the box. Painting the differences over the previous text must give the same pixels as painting
/// everything.
///
/// The first four bytes select the box, the font, the smallest size and the size of word breaks. The rest is the
/// message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start, count >= 4 else { return 0 }
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  // libFuzzer calls this from the main thread only, so the fonts are opened once. Without fonts, the run would test
  // nothing.
  MainActor.assumeIsolated {
    stand.show(String(decoding: bytes.dropFirst(4), as: UTF8.self), choices: bytes.prefix(4).map(Int.init))
  }
  return 0
}

@MainActor private let stand: Stand = {
  do { return try Stand() } catch { fatalError("the fuzzer's fonts cannot be opened: \(error)") }
}()

/// LeakSanitizer's `__lsan_disable` and `__lsan_enable` (sanitizer/lsan_interface.h).
@_silgen_name("__lsan_disable") private func ignoreLeaks()
@_silgen_name("__lsan_enable") private func mindLeaks()

/// A small frame that is repainted each time, and another that is painted from scratch each time.
private final class Stand {
  private static let size = Size(240, 136)
  private static let boxes = [
    Rect(Stand.size), Rect(x: 8, y: 5, width: 224, height: 126), Rect(x: 200, y: 3, width: 17, height: 130),
    Rect(x: 2, y: 60, width: 236, height: 9), Rect(x: 100, y: 100, width: 1, height: 1),
    Rect(x: 5, y: 5, width: 0, height: 0),
  ]
  private static let fonts: [String?] = [
    nil, "serif", "Noto Sans Arabic", "Noto Sans CJK JP:weight=200", "", ":", "no such font", "/no/such/file.ttf",
  ]

  private let materials: RenderResources
  private let rasterizer = Rasterizer(size: Stand.size, format: .xrgb8888, cacheBytes: 1 << 20)
  private var before = DisplayList(size: Stand.size, background: .black)
  private var over: [UInt8]
  private var anew: [UInt8]
  private static let stride = (size.width * 4 + 63) & ~63

  init() throws {
    // fontconfig leaks 288 bytes of its configuration at its initialization.
    ignoreLeaks()
    materials = try RenderResources()
    _ = try materials.typesetter.set("a", by: FitRules(box: Stand.size, minimum: 64, wordBreak: 64))
    mindLeaks()
    over = Array(repeating: 0, count: Stand.stride * Stand.size.height)
    anew = over
    paint(before, [Rect(Stand.size)], to: &over)
  }

  func show(_ message: String, choices: [Int]) {
    let box = Stand.boxes[choices[0] % Stand.boxes.count]
    let font = Stand.fonts[choices[1] % Stand.fonts.count]
    let rules = FitRules(box: box.size, minimum: choices[2] * 16, wordBreak: choices[3] * 32)
    guard let text = try? materials.typesetter.set(message, by: rules, font: font) else { return }
    precondition(text.size >= 64 && text.size <= max(rules.minimum, rules.maximum))
    precondition(text.cut.map { $0.shown <= $0.total } ?? true)
    for run in text.runs { precondition(Rect(box.size).contains(run.ink), "ink outside of the box") }
    let items = text.runs.map { run in DisplayItem.text(TextItem(run: moved(run, by: box), color: .white)) }
    let list = DisplayList(size: Stand.size, background: .black, items: items)
    paint(list, rasterizer.difference(from: before, to: list, with: materials), to: &over)
    paint(list, [Rect(Stand.size)], to: &anew)
    precondition(over == anew, "what differs is not all that differs")
    for y in 0..<Stand.size.height where y < box.y || y >= box.bottom {
      let row = anew[y * Stand.stride..<y * Stand.stride + Stand.size.width * 4]
      precondition(row.allSatisfy { $0 == 0 || $0 == 255 } && row.count { $0 == 255 } == Stand.size.width)
    }
    before = list
  }

  private func paint(_ list: DisplayList, _ parts: [Rect], to frame: inout [UInt8]) {
    unsafe frame.withUnsafeMutableBytes { bytes in
      unsafe rasterizer.paint(list, parts, to: FrameBytes(bytes: bytes, stride: Stand.stride), with: materials)
    }
  }

  private func moved(_ run: GlyphRun, by box: Rect) -> GlyphRun {
    let ink = Rect(x: run.ink.x + box.x, y: run.ink.y + box.y, width: run.ink.width, height: run.ink.height)
    let glyphs = run.glyphs.map { glyph in
      PlacedGlyph(glyph: glyph.glyph, x: glyph.x + Int32(box.x * 64), y: glyph.y + Int32(box.y * 64))
    }
    return GlyphRun(font: run.font, size: run.size, glyphs: glyphs, ink: ink)
  }
}
