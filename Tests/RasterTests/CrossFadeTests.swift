import Geometry
import Layout
import Pictures
import Scenes
import SeededRandom
import Testing
import Typesetting

@testable import Raster

/// Cross-fades: the mixtures of two pictures.
struct CrossFadeTests {
  private let size = Size(200, 120)

  private func list(_ text: String, _ rotation: Rotation, _ materials: RenderResources) throws -> DisplayList {
    let metrics = DisplayMetrics(pixels: rotation.inverse.turn(size))
    return try layOut(View(banner: text, style: style()), on: metrics, with: materials)
  }

  /// Returns the rows of a frame, written over bytes of 7.
  private func frame(_ fade: CrossFade, _ weight: Int, whole: Bool, _ format: PixelFormat) -> [UInt8] {
    var bytes = [UInt8](repeating: 7, count: size.area * format.bytesPerPixel)
    unsafe bytes.withUnsafeMutableBytes {
      let frame = unsafe FrameBytes(bytes: $0, stride: size.width * format.bytesPerPixel)
      fade.draw(weight: weight, whole: whole, to: frame)
    }
    return bytes
  }

  private func still(
    _ list: DisplayList, _ format: PixelFormat, _ rotation: Rotation, _ materials: RenderResources
  ) -> [UInt8] {
    let canvas = Canvas(size: size, format: format, rotation: rotation)
    _ = canvas.draw(list, with: materials)
    let (bytes, width) = (canvas.bytes(), size.width * format.bytesPerPixel)
    return (0..<size.height).flatMap { bytes[$0 * canvas.stride..<$0 * canvas.stride + width] }
  }

  /// Returns the channels of a frame, each in the range of the format.
  private func channels(_ bytes: [UInt8], _ format: PixelFormat) -> [Int] {
    switch format {
    case .xrgb8888: return bytes.map(Int.init)
    case .rgb565:
      return stride(from: 0, to: bytes.count, by: 2).flatMap { place in
        let pixel = Int(bytes[place]) | Int(bytes[place + 1]) << 8
        return [pixel >> 11, pixel >> 5 & 63, pixel & 31]
      }
    }
  }

  @Test(arguments: [PixelFormat.xrgb8888, .rgb565], Rotation.allCases)
  func `Each channel is the rounded mean, and the ends are the pictures themselves`(
    format: PixelFormat, rotation: Rotation
  ) throws {
    let materials = try RenderResources()
    let (old, new) = (try list("Old", rotation, materials), try list("New", rotation, materials))
    let rasterizer = Rasterizer(size: size, format: format, rotation: rotation)
    let fade = CrossFade(from: old, to: new, like: rasterizer, with: materials)
    let (first, last) = (still(old, format, rotation, materials), still(new, format, rotation, materials))
    #expect(first != last)
    #expect(frame(fade, 0, whole: true, format) == first && frame(fade, -9, whole: true, format) == first)
    #expect(frame(fade, 256, whole: true, format) == last && frame(fade, 999, whole: true, format) == last)
    let (before, after) = (channels(first, format), channels(last, format))
    for weight in [1, 11, 128, 200, 255] {
      let mixed = channels(frame(fade, weight, whole: true, format), format)
      let isMean = zip(mixed, zip(before, after)).allSatisfy { mean, ends in
        mean == Int((Double(ends.0 * (256 - weight) + ends.1 * weight) / 256 + 0.5).rounded(.down))
      }
      #expect(isMean, "weight \(weight)")
    }
  }

  @Test func `Only the parts that differ are written, and outside of them nothing differs`() throws {
    let materials = try RenderResources()
    let metrics = DisplayMetrics(pixels: size)
    func clock(_ time: String) throws -> DisplayList {
      try layOut(View(.clock(ClockFace(time: time, date: "Today")), style: style()), on: metrics, with: materials)
    }
    let (old, new) = (try clock("10:00"), try clock("10:09"))
    let fade = CrossFade(
      from: old, to: new, like: Rasterizer(size: size, format: .xrgb8888), with: materials)
    let area = fade.parts.reduce(0) { $0 + $1.size.area }
    #expect(area > 0 && area < size.area / 2)
    let (partly, whole) = (frame(fade, 100, whole: false, .xrgb8888), frame(fade, 100, whole: true, .xrgb8888))
    let still = still(old, .xrgb8888, .none, materials)
    for place in 0..<size.area {
      let (x, y, bytes) = (place % size.width, place / size.width, place * 4..<place * 4 + 4)
      if fade.parts.contains(where: { $0.holds(x, y) }) {
        #expect(partly[bytes] == whole[bytes])
      } else {
        #expect(partly[bytes].allSatisfy { $0 == 7 } && whole[bytes] == still[bytes])
      }
    }
    fade.retarget(try clock("11:11"), with: materials)
    #expect(fade.parts == [Rect(size)])
    #expect(frame(fade, 256, whole: false, .xrgb8888) == self.still(try clock("11:11"), .xrgb8888, .none, materials))
  }

  @Test func `Empty frames and short memory are accepted`() throws {
    let materials = try RenderResources()
    let list = try list("Old", .none, materials)
    let empty = CrossFade(
      from: list, to: list, like: Rasterizer(size: Size(0, 0), format: .xrgb8888), with: materials)
    var bytes = [UInt8](repeating: 7, count: 100)
    unsafe bytes.withUnsafeMutableBytes {
      empty.draw(weight: 9, whole: true, to: unsafe FrameBytes(bytes: $0, stride: 0))
    }
    let fade = CrossFade(from: list, to: list, like: Rasterizer(size: size, format: .xrgb8888), with: materials)
    #expect(fade.parts.isEmpty)
    unsafe bytes.withUnsafeMutableBytes {
      fade.draw(weight: 9, whole: true, to: unsafe FrameBytes(bytes: $0, stride: 800))
    }
    #expect(bytes.allSatisfy { $0 == 7 })
  }
}
