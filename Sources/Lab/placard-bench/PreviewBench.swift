import Geometry
import Layout
import Pictures
import Raster

/// The cost of a reduced preview image: reading the frame, here from ordinary memory, and encoding the file.
enum PreviewBench {
  /// Prints the median times in milliseconds for each width.
  static func run(rounds: Int) throws {
    for metrics in [
      DisplayMetrics(pixels: Size(1920, 1080)), DisplayMetrics(pixels: Size(3840, 2160), scale: 2),
    ] {
      let subject = try Subject(metrics)
      try subject.show(Texts.banner)
      for width in [480, 1920] { try measure(subject, width, rounds) }
    }
  }

  private static func measure(_ subject: Subject, _ width: Int, _ rounds: Int) throws {
    var picture = try read(subject, width).picture()
    let reading = try Stopwatch.median(of: rounds) { _ in picture = try read(subject, width).picture() }
    var (jpeg, png) = ([UInt8](), [UInt8]())
    let jpegTime = try Stopwatch.median(of: rounds) { _ in jpeg = try picture.jpeg() }
    let pngTime = try Stopwatch.median(of: rounds) { _ in png = try picture.png() }
    print(
      "\(subject.metrics.pixels) as \(picture.size): read \(milliseconds(reading)) ms,"
        + " JPEG of \(jpeg.count) bytes \(milliseconds(jpegTime)) ms, PNG of \(png.count) bytes \(milliseconds(pngTime)) ms"
    )
  }

  private static func read(_ subject: Subject, _ width: Int) throws -> FrameReduction {
    var reduction = FrameReduction(
      of: subject.metrics.pixels, .xrgb8888, stride: subject.canvas.stride, turned: .none, width: width)
    unsafe subject.canvas.withUnsafeBytes { bytes in
      while !reduction.isWhole { unsafe reduction.readRow(of: UnsafeRawBufferPointer(bytes)) }
    }
    return reduction
  }

  private static func milliseconds(_ microseconds: Double) -> Double { (microseconds / 10).rounded() / 100 }
}
