import Displays
import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Typesetting

/// The pixels of one output: a canvas in cached memory, and two buffers that the card scans out in turn.
///
/// Buffers are named by moment: `front` is on the glass, `back` is painted next. A back buffer is two frames old, so
/// that it is stale by the damage of the last frame when the new one is painted.
final class Surface {
  let metrics: DisplayMetrics
  private let canvas: Canvas
  private var front: FrameBuffer?
  private var back: FrameBuffer?
  private var staleInBack: [Rect] = []
  private var unshown: [Rect] = []

  /// A surface whose first buffer this is.
  init(front buffer: consuming FrameBuffer, metrics: DisplayMetrics) {
    canvas = Canvas(size: buffer.size, format: buffer.format)
    self.metrics = metrics
    front = consume buffer
  }

  /// Paints a whole first frame into the front buffer, before it is on any glass.
  func paintFirst(_ list: DisplayList, with typesetter: Typesetter) {
    guard var buffer = front.take() else { return }
    copy(canvas.draw(list, with: typesetter), to: &buffer)
    front = consume buffer
  }

  /// Takes the second buffer; all of it is stale.
  func addBack(_ buffer: consuming FrameBuffer) {
    staleInBack = [Rect(metrics.pixels)]
    back = consume buffer
  }

  /// Paints the frame into the back buffer and says what differs from the glass; nil where nothing does.
  ///
  /// A frame that the card would not take yet stays painted: the next call brings its damage again.
  func paintNext(_ list: DisplayList, with typesetter: Typesetter) -> (buffer: BufferID, damage: [Rect])? {
    guard var buffer = back.take() else { return nil }
    let damage = canvas.draw(list, with: typesetter)
    unshown += damage
    if !unshown.isEmpty {
      copy(staleInBack + damage, to: &buffer)
      staleInBack = []
    }
    let id = buffer.id
    back = consume buffer
    return unshown.isEmpty ? nil : (id, unshown)
  }

  /// Exchanges the buffers: what was painted last is on the glass.
  func swap() {
    guard let shown = back.take() else { return }
    staleInBack = unshown
    unshown = []
    back = front.take()
    front = consume shown
  }

  /// Writes the first frame again where setting the mode wiped it; says whether it had to.
  ///
  /// QEMU's VGA clears its memory when a mode is enabled (VBE_DISPI without NOCLEARMEM), and with it a picture that was
  /// painted before. Every 32nd row is read back to see that, once for each modeset.
  func restoreFront() -> Bool {
    guard unshown.isEmpty, var buffer = front.take() else { return false }
    let isIntact = isFrontIntact(&buffer)
    if !isIntact { copy([Rect(metrics.pixels)], to: &buffer) }
    front = consume buffer
    return !isIntact
  }

  private func isFrontIntact(_ buffer: inout FrameBuffer) -> Bool {
    let row = buffer.size.width * buffer.format.bytesPerPixel
    let stride = buffer.stride
    let rows = Swift.stride(from: 0, to: buffer.size.height, by: 32)
    return unsafe buffer.withUnsafeBytes { target in
      unsafe canvas.withUnsafeBytes { source in
        guard let painted = source.baseAddress, let scanned = target.baseAddress else { return true }
        return rows.allSatisfy { y in unsafe memcmp(painted + y * canvas.stride, scanned + y * stride, row) == 0 }
      }
    }
  }

  /// A copy of what is scanned out. Reads slow memory, once.
  func frontPicture() -> Picture? {
    guard let buffer = front.take() else { return nil }
    let stride = buffer.size.width * buffer.format.bytesPerPixel
    let picture = try? Picture(size: buffer.size, format: buffer.format, stride: stride, bytes: buffer.copyPixels())
    front = consume buffer
    return picture
  }

  private func copy(_ damage: [Rect], to buffer: inout FrameBuffer) {
    let stride = buffer.stride
    unsafe buffer.withUnsafeBytes { unsafe canvas.copy(damage, to: $0, stride: stride) }
  }
}
