import Displays
import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// The pixels of one output: two buffers that the card scans out alternately, and the state of their content.
///
/// A flip exchanges the names of the buffers: `front` is scanned out, and `back` is painted next. The back buffer may
/// be two frames old, so it is painted where its own list differs from the new one. There is no copy of the pixels
/// outside of the buffers. They are read only to check that the first frames are still there, and for requested images.
final class Surface {
  private let scale: Int
  private let rasterizer: Rasterizer
  private var front: FrameBuffer?
  private var back: FrameBuffer?
  /// The content of the buffers; nil if unknown.
  private var frontHeld: Held?
  private var backHeld: Held?
  /// The rotation of the content of the buffers.
  private var frontRotation: Rotation
  private var backRotation: Rotation
  /// The serial number of the frame on screen.
  private(set) var serial = 0
  /// The pixels of the scroll layer, during an animation.
  private var strip: ScrollLayerTiles?
  /// The pictures of the cross-fade that is not over yet.
  private var crossFade: CrossFade?
  /// The layout of the content that comes next, and when it was made.
  private var ahead: (laidOut: LaidOut, time: ContinuousClock.Instant)?
  /// The time for which that layout is used. Afterwards its files may have changed.
  private static let aheadLimit = Duration.seconds(15)
  /// Whether the back buffer is about to be scanned out.
  private var isPresented = false
  /// The newest layout, cached so that requests about a scene that is being painted need not wait for it again.
  private var laidOut: LaidOut?

  /// Creates a surface for buffers of one size. It can lay out views before it has any.
  init(size: Size, scale: Int, _ options: Options) {
    // The first buffer determines the format.
    rasterizer = Rasterizer(
      size: size, format: .xrgb8888, rotation: options.rotation, cacheBytes: options.glyphBytes)
    self.scale = scale
    (frontRotation, backRotation) = (options.rotation, options.rotation)
  }

  /// The content of a buffer: a list with its scroll layer at the beginning, and the scroll distance in pixels.
  private struct Held: Equatable {
    var list: DisplayList
    var distance: Int
    /// The item of a playlist with cross-fades that the content belongs to.
    var fade: Fade?
    /// The share of the list in a cross-fade. The rest is the content before.
    var weight = CrossFade.full

    /// The content of a view without an animation, or at a scroll distance.
    init(_ laidOut: LaidOut, distance: Int? = nil) {
      list = laidOut.beginning
      self.distance = distance ?? laidOut.distance
      fade = laidOut.view.fade
    }

    /// The static list with the same content; nil during a cross-fade.
    var still: DisplayList? { weight == CrossFade.full ? list.seen(after: distance) : nil }
  }

  /// The place of a frame in an animation.
  enum Position: Hashable {
    /// The distance of the scroll layer, in pixels.
    case scrolled(Int)
    /// The share of the content in a cross-fade, 1...256.
    case mixed(Int)
  }

  /// The layout of a view.
  struct LaidOut {
    let view: View
    let list: DisplayList
    /// The list with its scroll layer at the beginning. It is equal for views that differ only in their scroll
    /// distances.
    let beginning: DisplayList

    init(_ view: View, _ list: DisplayList) {
      self.view = view
      self.list = list
      beginning = list.moved(to: 0)
    }

    /// The scroll distance without an animation.
    var distance: Int { list.strip?.distance ?? 0 }
  }

  /// The settings that apply to an output's pixels.
  struct Options: Hashable {
    /// The rotation of frames.
    var rotation = Rotation.none
    /// The limit on the memory of drawn glyphs, in bytes.
    var glyphBytes = Rasterizer.defaultCacheBytes
  }

  /// The metrics for the layout: those of the display as users see it, which may be in portrait orientation.
  var metrics: DisplayMetrics { DisplayMetrics(pixels: rasterizer.pictureSize, scale: scale) }

  /// Sets other options. If the rotation changes, the next frame is painted as a whole.
  func adjust(to options: Options) {
    rasterizer.setGlyphCacheLimit(upTo: options.glyphBytes)
    guard rasterizer.rotation != options.rotation else { return }
    rasterizer.rotation = options.rotation
    (laidOut, ahead) = (nil, nil)
    (strip, crossFade) = (nil, nil)
    (frontHeld, backHeld) = (nil, nil)
  }

  /// Discards everything that depends on the render resources, because they are replaced. The next frame is painted as
  /// a whole.
  func forget() {
    rasterizer.discardGlyphs()
    forgetPictures()
  }

  /// Discards the layout, because its files may have changed.
  func forgetLayout() { laidOut = nil }

  /// Discards frames that were painted without their images. The next frame is painted as a whole.
  func forgetPictures() {
    (laidOut, ahead) = (nil, nil)
    (strip, crossFade) = (nil, nil)
    (frontHeld, backHeld) = (nil, nil)
  }

  /// Lays out a view.
  func layOut(_ view: View, with materials: RenderResources) throws(TypesettingError) -> LaidOut {
    if let laidOut, laidOut.view == view { return laidOut }
    if let ahead, ahead.laidOut.view == view {
      self.ahead = nil
      if ahead.time.duration(to: .now) < Self.aheadLimit {
        laidOut = ahead.laidOut
        return ahead.laidOut
      }
    }
    let new = LaidOut(view, try Layout.layOut(view, on: metrics, with: materials))
    laidOut = new
    return new
  }

  /// Lays out a view that comes next, and keeps its layout besides that of the current one.
  func layOutAhead(_ view: View, with materials: RenderResources) throws(TypesettingError) -> LaidOut {
    if let laidOut, laidOut.view == view { return laidOut }
    let new = LaidOut(view, try Layout.layOut(view, on: metrics, with: materials))
    ahead = (new, .now)
    return new
  }

  /// Discards the layout of the content that comes next.
  func forgetAhead() { ahead = nil }

  /// Paints the content that comes next into the back buffer, unless that is about to be scanned out.
  ///
  /// Whatever is painted next continues from it: the same content needs no painting then, and other content is painted
  /// where it differs.
  func paintAhead(_ laidOut: LaidOut, with materials: RenderResources) {
    guard !isPresented, crossFade == nil, !fades(to: laidOut), frontHeld?.list != laidOut.beginning,
      var buffer = back.take()
    else { return }
    let next = Held(laidOut)
    paint(laidOut.list, over: backHeld?.still, in: &buffer, materials)
    (backHeld, backRotation) = (next, rasterizer.rotation)
    back = consume buffer
  }

  /// Returns the scroll distance of a view in the front buffer; nil if that holds another layout, or no scroll layer.
  func distance(of laidOut: LaidOut) -> Int? {
    guard let frontHeld, frontHeld.list.strip != nil, frontHeld.still != nil, frontHeld.list == laidOut.beginning
    else { return nil }
    return frontHeld.distance
  }

  /// Draws the glyphs and images of a view, which `paintFirst` needs.
  func drawAhead(_ laidOut: LaidOut, with materials: RenderResources) {
    rasterizer.drawAhead(laidOut.list, with: materials)
  }

  /// Paints the whole first frame into the first buffer, before that is scanned out.
  func paintFirst(_ laidOut: LaidOut, into buffer: consuming FrameBuffer, with materials: RenderResources) {
    var buffer = buffer
    rasterizer.format = buffer.format
    paint(laidOut.list, over: nil, in: &buffer, materials)
    frontHeld = Held(laidOut)
    frontRotation = rasterizer.rotation
    front = consume buffer
  }

  /// Adds the second buffer. Returns false if its size or format differs from the first.
  func addBack(_ buffer: consuming FrameBuffer) -> Bool {
    guard buffer.format == rasterizer.format, buffer.size == rasterizer.size else { return false }
    backHeld = nil
    back = consume buffer
    return true
  }

  /// Returns whether a view replaces the content on screen by a cross-fade, or is replacing it.
  func fades(to laidOut: LaidOut) -> Bool {
    guard let fade = laidOut.view.fade, let frontHeld, let last = frontHeld.fade else { return false }
    if crossFade != nil { return last == fade }
    return last != fade && frontHeld.still != nil && frontRotation == rasterizer.rotation
  }

  /// Paints a frame of an animation into the back buffer; without a position, the frame is static. Returns the
  /// differences from the frame on screen; nil if there are none.
  func paintNext(
    _ laidOut: LaidOut, at position: Position?, with materials: RenderResources
  ) -> (buffer: BufferID, damage: [Rect])? {
    switch position {
    case .mixed(let weight): return paintMixed(laidOut, weight, with: materials)
    case .scrolled(let distance): return paintNext(laidOut, after: distance, with: materials)
    case nil: return paintNext(laidOut, after: nil, with: materials)
    }
  }

  /// Paints a frame with the scroll layer at `distance` pixels.
  ///
  /// During an animation, only the tiles of the scroll layer are copied. The rest of the list is painted where it
  /// differs from the content of the buffer.
  private func paintNext(
    _ laidOut: LaidOut, after distance: Int?, with materials: RenderResources
  ) -> (buffer: BufferID, damage: [Rect])? {
    crossFade = nil
    let next = Held(laidOut, distance: distance)
    let picture = picture(of: distance == nil ? nil : next.list.strip)
    guard frontHeld != next else { return nil }
    let still = next.list.seen(after: next.distance)
    let damage = damage(to: next, still, with: materials)
    if damage.isEmpty {
      // Only invisible content differs, and the next frame continues from the new list.
      frontHeld = next
      return nil
    }
    guard var buffer = back.take() else { return nil }
    if let picture {
      if backHeld?.list != next.list || backHeld?.still == nil {
        paint(next.list.bare, over: backHeld?.still, in: &buffer, materials)
      }
      let (stride, size) = (buffer.stride, rasterizer.pictureSize)
      unsafe buffer.withUnsafeBytes { bytes in
        let frame = unsafe FrameBytes(bytes: bytes, stride: stride)
        picture.draw(after: next.distance, on: size, to: frame, with: materials)
      }
    } else {
      paint(still, over: backHeld?.still, in: &buffer, materials)
    }
    return (present(next, in: buffer), damage)
  }

  /// Paints a frame of a cross-fade. The first one paints the content on screen and the new content into memory.
  private func paintMixed(
    _ laidOut: LaidOut, _ weight: Int, with materials: RenderResources
  ) -> (buffer: BufferID, damage: [Rect])? {
    var next = Held(laidOut)
    next.weight = weight
    let isFirst = crossFade == nil
    if let old = frontHeld?.still, isFirst {
      crossFade = CrossFade(from: old, to: laidOut.list, like: rasterizer, with: materials)
    }
    guard let crossFade else { return paintNext(laidOut, after: nil, with: materials) }
    if crossFade.target != laidOut.list { crossFade.retarget(laidOut.list, with: materials) }
    guard frontHeld != next, var buffer = back.take() else { return nil }
    let stride = buffer.stride
    let isWhole = backHeld?.still != nil || backHeld?.fade != next.fade
    unsafe buffer.withUnsafeBytes { bytes in
      crossFade.draw(weight: weight, whole: isWhole, to: unsafe FrameBytes(bytes: bytes, stride: stride))
    }
    return (present(next, in: buffer), crossFade.parts)
  }

  private func present(_ next: Held, in buffer: consuming FrameBuffer) -> BufferID {
    (backHeld, backRotation) = (next, rasterizer.rotation)
    let id = buffer.id
    back = consume buffer
    isPresented = true
    return id
  }

  private func damage(to next: Held, _ still: DisplayList, with materials: RenderResources) -> [Rect] {
    if let window = next.list.strip?.window, frontHeld?.list == next.list, frontHeld?.still != nil {
      return [rasterizer.rotation.turn(window, in: rasterizer.pictureSize)]
    }
    return rasterizer.difference(from: frontHeld?.still, to: still, with: materials)
  }

  /// Returns the tiles of an animated scroll layer, either the current or empty ones. Tiles of a former animation are
  /// freed.
  private func picture(of strip: ScrollLayer?) -> ScrollLayerTiles? {
    if self.strip?.strip != strip {
      self.strip = strip.map { ScrollLayerTiles($0, format: rasterizer.format, rotation: rasterizer.rotation) }
    }
    return self.strip
  }

  /// Exchanges the buffers, because the newest painted frame is on screen.
  func swap() {
    isPresented = false
    guard let shown = back.take() else { return }
    back = front.take()
    front = consume shown
    (frontHeld, backHeld) = (backHeld, frontHeld)
    (frontRotation, backRotation) = (backRotation, frontRotation)
    serial += 1
    if frontHeld?.still != nil { crossFade = nil }
    // After a scroll to a place the frame may stay for a day, so the tiles are freed.
    if let laidOut, laidOut.list.strip?.speed == nil, distance(of: laidOut) == laidOut.distance { strip = nil }
  }

  /// Looks up the images of the frame on screen.
  func findFrontPictures(on cache: ImageCache) { frontHeld?.still?.findPictures(on: cache) }

  /// Paints the frame on screen again if it was erased, and the one in the back buffer as well. Returns whether the one
  /// on screen was.
  ///
  /// QEMU's VGA clears its whole memory when a mode is enabled (VBE_DISPI without NOCLEARMEM): a frame that was painted
  /// before the modeset, and both buffers if the kernel's console enables a mode of a new card later. Some rows are read
  /// back to detect that, twice for each modeset.
  func restoreFrames(with materials: RenderResources) -> Bool {
    if let list = backHeld?.still, var buffer = back.take() {
      _ = repair(list, in: &buffer, materials)
      back = consume buffer
    }
    guard let list = frontHeld?.still, var buffer = front.take() else { return false }
    let wasErased = repair(list, in: &buffer, materials)
    if wasErased { serial += 1 }
    front = consume buffer
    return wasErased
  }

  /// Paints a list into a buffer that should show it, if it does not. Returns whether it did not.
  private func repair(_ list: DisplayList, in buffer: inout FrameBuffer, _ materials: RenderResources) -> Bool {
    let stride = buffer.stride
    let isIntact = unsafe buffer.withUnsafeBytes { bytes in
      unsafe rasterizer.matches(list, FrameBytes(bytes: bytes, stride: stride), everyRow: 32, with: materials)
    }
    if !isIntact { paint(list, over: nil, in: &buffer, materials) }
    return !isIntact
  }

  /// Returns a copy of the frame that is scanned out, and its rotation. Reads slow memory, once.
  func frontPicture() -> (RGBImage, Rotation)? {
    guard let buffer = front.take() else { return nil }
    let stride = buffer.size.width * buffer.format.bytesPerPixel
    let picture = try? RGBImage(size: buffer.size, format: buffer.format, stride: stride, bytes: buffer.copyPixels())
    front = consume buffer
    return picture.map { ($0, frontRotation) }
  }

  /// Starts a reduced, upright image of the frame on screen.
  func beginReduction(width: Int) -> FrameReduction? {
    guard let buffer = front.take() else { return nil }
    let reduction = FrameReduction(
      of: buffer.size, buffer.format, stride: buffer.stride, turned: frontRotation, width: width)
    front = consume buffer
    return reduction
  }

  /// Continues to read the frame on screen, for as long as `hasTime` returns true after a row.
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
