import CPixels
package import Geometry
package import Layout

/// The two pictures between which a cross-fade mixes, in ordinary memory.
///
/// Frame memory can be slow to read, so both are painted again. This class must be used from one thread at a time.
@safe
package final class CrossFade {
  /// The weight at which only the second picture is visible.
  package static let full = 256

  private let before: Canvas
  private let after: Canvas
  /// The rectangles in which the pictures differ, extended to 64-byte lines.
  package private(set) var parts: [Rect]
  /// The layout of the second picture.
  package private(set) var target: DisplayList
  private let line: FrameMemory

  /// Paints both pictures.
  ///
  /// - Parameters:
  ///   - old: The layout on screen.
  ///   - new: The layout that takes its place.
  ///   - rasterizer: The rasterizer of the frames, whose size, format and rotation apply.
  ///   - materials: The render resources with which both were laid out.
  package init(
    from old: DisplayList, to new: DisplayList, like rasterizer: Rasterizer, with materials: RenderResources
  ) {
    (before, after) = (Canvas(like: rasterizer), Canvas(like: rasterizer))
    _ = before.draw(old, with: materials)
    _ = after.draw(new, with: materials)
    parts = rasterizer.difference(from: old, to: new, with: materials).map(rasterizer.wholeLines)
    target = new
    line = FrameMemory(byteCount: before.stride)
  }

  /// The memory of both pictures, in bytes.
  package var byteCount: Int { 2 * before.stride * before.size.height }

  /// Replaces the second picture, of which the clock has changed, for example. From now on the whole frame is mixed.
  ///
  /// - Parameters:
  ///   - list: The new layout.
  ///   - materials: The render resources with which it was laid out.
  package func retarget(_ list: DisplayList, with materials: RenderResources) {
    _ = after.draw(list, with: materials)
    target = list
    parts = [Rect(before.size)]
  }

  /// Writes a mixture of the pictures into a frame.
  ///
  /// - Parameters:
  ///   - weight: The share of the second picture, 0...256.
  ///   - isWhole: Whether to write the whole frame; otherwise, only the parts in which the pictures differ.
  ///   - frame: The memory of the frame.
  package func draw(weight: Int, whole isWhole: Bool, to frame: FrameBytes) {
    let parts = isWhole ? [Rect(before.size)] : parts
    let isStreamed = parts.reduce(0) { $0 + $1.size.area } * before.format.bytesPerPixel >= Painter.streamedBytes
    unsafe before.withUnsafeBytes { old in
      unsafe after.withUnsafeBytes { new in
        guard let old = old.baseAddress, let new = new.baseAddress else { return }
        for part in parts {
          for y in part.y..<part.bottom {
            let row = Rect(x: part.x, y: y, width: part.width, height: 1)
            unsafe write(row, min(max(weight, 0), Self.full), old, new, isStreamed, to: frame)
          }
        }
      }
    }
    placard_stream_end()
  }

  private func write(
    _ row: Rect, _ weight: Int, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ isStreamed: Bool,
    to frame: FrameBytes
  ) {
    let bytesPerPixel = before.format.bytesPerPixel
    guard let target = unsafe line.bytes.baseAddress else { return }
    let place = row.y * before.stride + row.x * bytesPerPixel
    switch before.format {
    case .xrgb8888: unsafe placard_mix_32(target, old + place, new + place, UInt32(weight), row.width)
    case .rgb565: unsafe placard_mix_16(target, old + place, new + place, UInt32(weight), row.width)
    }
    unsafe frame.write(row, from: target, stride: 0, bytesPerPixel: bytesPerPixel, isStreamed: isStreamed)
  }
}
