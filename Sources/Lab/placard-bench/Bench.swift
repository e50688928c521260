import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import SystemCalls
import Typesetting

/// A developer tool that measures rendering from a scene to pixels: medians of one run, relative to a frame copy.
@main
enum Bench {
  static let usage = """
    usage: placard-bench [ROUNDS]                         print the table (101 rounds)
           placard-bench first WxH                        time the first frame of this process, in microseconds
           placard-bench redraw WxH[@SCALE] ROUNDS        redraw a banner that often: something to profile
           placard-bench text ROUNDS PANGO [DIRECTORY]    beside the program of scripts/bench.d/pango.c, and pictures
           placard-bench previews                         small pictures of the screen
           placard-bench schedule                         what a large schedule shows, and when that changes
           placard-bench fonts                            fonts for reading from a distance
           placard-bench hostile                          texts that are meant to take long
           placard-bench serve WxH FONT FILE|-            answer the commands of such a comparison
           placard-bench picture WxH[@SCALE] FILE TEXT    draw a banner into a PNG file
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("placard-bench: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("first", 2): print(Int(try FirstFrame.here(try metrics(arguments[1]))))
    case ("redraw", 3): try redraw(try metrics(arguments[1]), Int(arguments[2]) ?? 1)
    case ("text", 3), ("text", 4): try text(Array(arguments.dropFirst()))
    case ("previews", 1): try PreviewBench.run(rounds: 101)
    case ("schedule", 1): try ScheduleBench.run(rounds: 2001)
    case ("fonts", 1): try FontBench.run()
    case ("hostile", 1): try Hostile.run()
    case ("hostile", 2): try Hostile.single(arguments[1])
    case ("serve", 4):
      let memory = arguments[3] == "-" ? nil : arguments[3]
      try Server.run(try metrics(arguments[1]).pixels, font: arguments[2], fontMemory: memory)
    case ("picture", 4): try picture(try metrics(arguments[1]), arguments[2], arguments[3])
    case (let rounds?, 1) where Int(rounds) ?? 0 > 0: try table(Int(rounds) ?? 101)
    case (nil, _): try table(101)
    default: print(usage)
    }
  }

  private static func table(_ rounds: Int) throws {
    for metrics in [
      DisplayMetrics(pixels: Size(1920, 1080)), DisplayMetrics(pixels: Size(3840, 2160), scale: 2),
    ] {
      let measurements = Measurements(metrics, rounds: rounds)
      try measurements.all()
      Table.print("\(metrics.pixels), median of \(rounds), ratio to memcpy of a frame in this run", measurements.rows)
    }
  }

  private static func text(_ arguments: [String]) throws {
    // A child that exits early must surface as a missing answer. SIGPIPE would end this process instead.
    signal(SIGPIPE, SIG_IGN)
    var template = Array("/tmp/placard-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw BenchError("no directory in /tmp: \(ErrorNumber(errno))") }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      unsafe unlink("\(directory)/fonts")
      unsafe rmdir(directory)
    }
    for pixels in [Size(1920, 1080), Size(3840, 2160)] {
      try TextBench(
        pixels: pixels, rounds: max(1, Int(arguments[0]) ?? 1), pango: arguments[1],
        fontMemory: "\(directory)/fonts", pictures: arguments.count > 2 ? arguments[2] : nil
      ).run()
    }
  }

  private static func redraw(_ metrics: DisplayMetrics, _ rounds: Int) throws {
    let subject = try Subject(metrics)
    let time = try Stopwatch.median(of: max(1, rounds)) { _ in
      subject.canvas.invalidate()
      try subject.show(Texts.banner)
    }
    print("\(Int(time)) us")
  }

  private static func picture(_ metrics: DisplayMetrics, _ file: String, _ text: String) throws {
    let subject = try Subject(metrics)
    let list = try layOut(View(banner: text), on: metrics, with: subject.materials)
    _ = subject.canvas.draw(list, with: subject.materials)
    let picture = try unsafe subject.canvas.withUnsafeBytes { bytes throws(ImageError) in
      try unsafe RGBImage(size: metrics.pixels, format: .xrgb8888, stride: subject.canvas.stride, copying: bytes)
    }
    var png: [UInt8] = []
    let time = try Stopwatch.time { png = try picture.png() }
    guard let out = unsafe fopen(file, "w") else { throw TypesettingError.library(name: file, code: Int(errno)) }
    defer { unsafe fclose(out) }
    unsafe fwrite(png, 1, png.count, out)
    print(
      "\(list.items.count) runs, PNG of \(png.count) bytes in \(Int(time)) us, glyphs \(subject.canvas.cachedBytes)")
    for warning in list.warnings { print("warning: \(warning)") }
  }

  private static func metrics(_ text: String) throws -> DisplayMetrics {
    let parts = text.split(separator: "@")
    guard let size = Size(parsing: parts.first ?? ""), let scale = parts.count > 1 ? Int(parts[1]) : 1 else {
      throw ImageError.size("\(text) is not a size: write 1920x1080, or 3840x2160@2")
    }
    return DisplayMetrics(pixels: size, scale: scale)
  }
}
