import Displays
import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// The pixels of one output: two buffers that the card scans out in turn, and what each of them holds.
///
/// Buffers are named by moment: `front` is on the glass, `back` is painted next. A back buffer may be two frames old; it
/// is painted where its own list and the new one differ. Nothing is kept beside the buffers, and they are never read
/// but for a look at whether the first frame is still there, and for pictures that somebody asks for.
final class Surface {
  private let scale: Int
  private let rasterizer: Rasterizer
  private var front: FrameBuffer?
  private var back: FrameBuffer?
  /// What the buffers hold; nil for nothing that is known.
  private var frontHeld: Held?
  private var backHeld: Held?
  /// How what the buffers hold is turned.
  private var frontRotation: Rotation
  private var backRotation: Rotation
  /// Counts the pictures that were on the glass.
  private(set) var serial = 0
  /// The pixels of what moves, while something does.
  private var strip: ScrollLayerTiles?
  /// What was laid out last: whoever asks about a scene that is being painted need not wait for it again.
  private var laidOut: LaidOut?

  /// A surface whose first buffer this is.
  init(front buffer: consuming FrameBuffer, scale: Int, _ options: Options) {
    rasterizer = Rasterizer(
      size: buffer.size, format: buffer.format, rotation: options.rotation, cacheBytes: options.glyphBytes)
    self.scale = scale
    (frontRotation, backRotation) = (options.rotation, options.rotation)
    front = consume buffer
  }

  /// What a buffer holds: a list that shows its strip's beginning, but with the strip so many pixels further.
  private struct Held: Equatable {
    var list: DisplayList
    var distance: Int

    /// The same as a list that stands still.
    var still: DisplayList { list.seen(after: distance) }
  }

  /// A view that was laid out.
  struct LaidOut {
    let view: View
    let list: DisplayList
    /// The list with its strip at its beginning: it is equal for views that differ only in how far theirs have gone.
    let beginning: DisplayList

    init(_ view: View, _ list: DisplayList) {
      self.view = view
      self.list = list
      beginning = list.moved(to: 0)
    }

    /// How far the strip has gone where nothing moves it.
    var distance: Int { list.strip?.distance ?? 0 }
  }

  /// What the settings say of an output's pixels.
  struct Options: Hashable {
    /// How pictures are turned.
    var rotation = Rotation.none
    /// Bytes that drawn glyphs may take.
    var glyphBytes = Rasterizer.defaultCacheBytes
  }

  /// What is laid out for: the display as people see it, who may have hung it upright.
  var metrics: DisplayMetrics { DisplayMetrics(pixels: rasterizer.pictureSize, scale: scale) }

  /// Takes other options. Where pictures are turned otherwise from now on, the next frame is painted as a whole.
  func adjust(to options: Options) {
    rasterizer.setGlyphCacheLimit(upTo: options.glyphBytes)
    guard rasterizer.rotation != options.rotation else { return }
    rasterizer.rotation = options.rotation
    laidOut = nil
    strip = nil
    (frontHeld, backHeld) = (nil, nil)
  }

  /// Forgets what came from materials, whose place others take: the next frame is painted as a whole.
  func forget() {
    rasterizer.discardGlyphs()
    forgetPictures()
  }

  /// Forgets where everything goes: the files that it depends on may have changed.
  func forgetLayout() { laidOut = nil }

  /// Forgets what was painted without its pictures: the next frame is painted as a whole.
  func forgetPictures() {
    laidOut = nil
    strip = nil
    (frontHeld, backHeld) = (nil, nil)
  }

  /// Where everything of a view goes.
  func layOut(_ view: View, with materials: RenderResources) throws(TypesettingError) -> LaidOut {
    if let laidOut, laidOut.view == view { return laidOut }
    let new = LaidOut(view, try Layout.layOut(view, on: metrics, with: materials))
    laidOut = new
    return new
  }

  /// How far the strip of a view has gone in the front buffer; nil where that holds another picture, or no strip.
  func distance(of laidOut: LaidOut) -> Int? {
    guard let frontHeld, frontHeld.list == laidOut.beginning, frontHeld.list.strip != nil else { return nil }
    return frontHeld.distance
  }

  /// Paints a whole first frame into the front buffer, before it is on any glass.
  func paintFirst(_ laidOut: LaidOut, with materials: RenderResources) {
    guard var buffer = front.take() else { return }
    paint(laidOut.list, over: nil, in: &buffer, materials)
    frontHeld = Held(list: laidOut.beginning, distance: laidOut.distance)
    frontRotation = rasterizer.rotation
    front = consume buffer
  }

  /// Takes the second buffer, if it is like the first.
  func addBack(_ buffer: consuming FrameBuffer) -> Bool {
    guard buffer.format == rasterizer.format, buffer.size == rasterizer.size else { return false }
    backHeld = nil
    back = consume buffer
    return true
  }

  /// Paints the frame into the back buffer and says what differs from the glass; nil where nothing does. What moves has
  /// gone `distance` pixels; with nil nothing moves.
  ///
  /// Of what moves only the strip is copied, and the rest of the list is painted where the buffer did not hold it.
  func paintNext(
    _ laidOut: LaidOut, after distance: Int?, with materials: RenderResources
  ) -> (buffer: BufferID, damage: [Rect])? {
    let next = Held(list: laidOut.beginning, distance: distance ?? laidOut.distance)
    let picture = picture(of: distance == nil ? nil : next.list.strip)
    guard frontHeld != next else { return nil }
    let damage = damage(to: next, with: materials)
    if damage.isEmpty {
      // What is not seen is another: whoever goes on from here goes on from this one.
      frontHeld = next
      return nil
    }
    guard var buffer = back.take() else { return nil }
    if let picture {
      if backHeld?.list != next.list { paint(next.list.bare, over: backHeld?.still, in: &buffer, materials) }
      let (stride, size) = (buffer.stride, rasterizer.pictureSize)
      unsafe buffer.withUnsafeBytes { bytes in
        let frame = unsafe FrameBytes(bytes: bytes, stride: stride)
        picture.draw(after: next.distance, on: size, to: frame, with: materials)
      }
    } else {
      paint(next.still, over: backHeld?.still, in: &buffer, materials)
    }
    (backHeld, backRotation) = (next, rasterizer.rotation)
    let id = buffer.id
    back = consume buffer
    return (id, damage)
  }

  private func damage(to next: Held, with materials: RenderResources) -> [Rect] {
    if let window = next.list.strip?.window, frontHeld?.list == next.list {
      return [rasterizer.rotation.turn(window, in: rasterizer.pictureSize)]
    }
    return rasterizer.difference(from: frontHeld?.still, to: next.still, with: materials)
  }

  /// The pixels of a strip that moves, those that there are or none yet; what moves no more is let go of.
  private func picture(of strip: ScrollLayer?) -> ScrollLayerTiles? {
    if self.strip?.strip != strip {
      self.strip = strip.map { ScrollLayerTiles($0, format: rasterizer.format, rotation: rasterizer.rotation) }
    }
    return self.strip
  }

  /// Exchanges the buffers: what was painted last is on the glass.
  func swap() {
    guard let shown = back.take() else { return }
    back = front.take()
    front = consume shown
    (frontHeld, backHeld) = (backHeld, frontHeld)
    (frontRotation, backRotation) = (backRotation, frontRotation)
    serial += 1
    // What has come to where it was sent may stay there for a day.
    if let laidOut, laidOut.list.strip?.speed == nil, distance(of: laidOut) == laidOut.distance { strip = nil }
  }

  /// Looks for the pictures of the frame that is on the glass.
  func findFrontPictures(on shelf: ImageCache) { frontHeld?.still.findPictures(on: shelf) }

  /// Writes the first frame again where setting the mode wiped it; says whether it had to.
  ///
  /// QEMU's VGA clears its memory when a mode is enabled (VBE_DISPI without NOCLEARMEM), and with it a picture that was
  /// painted before. Some rows are read back to see that, once for each modeset.
  func restoreFront(with materials: RenderResources) -> Bool {
    guard let list = frontHeld?.still, var buffer = front.take() else { return false }
    let stride = buffer.stride
    let isIntact = unsafe buffer.withUnsafeBytes { bytes in
      unsafe rasterizer.matches(
        list, FrameBytes(bytes: bytes, stride: stride), everyRow: 32, with: materials)
    }
    if !isIntact {
      paint(list, over: nil, in: &buffer, materials)
      serial += 1
    }
    front = consume buffer
    return !isIntact
  }

  /// A copy of the frame that is scanned out, and its rotation. Reads slow memory, once.
  func frontPicture() -> (RGBImage, Rotation)? {
    guard let buffer = front.take() else { return nil }
    let stride = buffer.size.width * buffer.format.bytesPerPixel
    let picture = try? RGBImage(size: buffer.size, format: buffer.format, stride: stride, bytes: buffer.copyPixels())
    front = consume buffer
    return picture.map { ($0, frontRotation) }
  }

  /// Begins a small picture of what is on the glass, upright as people see it.
  func beginReduction(width: Int) -> FrameReduction? {
    guard let buffer = front.take() else { return nil }
    let reduction = FrameReduction(
      of: buffer.size, buffer.format, stride: buffer.stride, turned: frontRotation, width: width)
    front = consume buffer
    return reduction
  }

  /// Reads on in what is on the glass, as long as `hasTime` is true after a row.
  func read(_ reduction: inout FrameReduction, while hasTime: () -> Bool) {
    guard var buffer = front.take() else { return }
    unsafe buffer.withUnsafeBytes { bytes in
      repeat { unsafe reduction.readRow(of: UnsafeRawBufferPointer(bytes)) } while !reduction.isWhole && hasTime()
    }
    front = consume buffer
  }

  private func paint(
    _ list: DisplayList, over old: DisplayList?, in buffer: inout FrameBuffer, _ materials: RenderResources
  ) {
    let stride = buffer.stride
    let parts = rasterizer.difference(from: old, to: list, with: materials)
    unsafe buffer.withUnsafeBytes { bytes in
      unsafe rasterizer.paint(list, parts, to: FrameBytes(bytes: bytes, stride: stride), with: materials)
    }
  }
}
