import Displays
import Geometry
import Layout
import NIOCore
import Outputs
import Pictures
import Raster
import Scenes
import Typesetting

/// A render thread: lays out scenes, and paints the changes into the buffers.
///
/// A painter serves the outputs assigned to it, so that they share fonts, glyphs and images. It presents its frames
/// itself, and does not wait for flips. The loader reads image files on another thread. A frame waits for its images,
/// while other frames are painted.
actor Painter {
  typealias SurfaceID = Painting.SurfaceID
  typealias Frame = Painting.Frame
  typealias Painted = Painting.Painted
  typealias Answer = Painting.Answer
  typealias Step = Painting.Step

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  nonisolated let loop: any EventLoop
  private var fontMemory: String?
  private var materials: RenderResources?
  let loader: ImageLoader
  let pictures = ImageCache()
  /// The surfaces that were painted without some images, with the moment of the file lookup.
  var incomplete: [SurfaceID: Int] = [:]
  /// The surfaces that can be repainted with late images, with the same moment.
  var completed: [SurfaceID: Int] = [:]
  /// The receiver of the surfaces that can be repainted with late images.
  var picturesReceiver: (@Sendable (Set<SurfaceID>) -> Void)?
  /// The start time of the current work, for the service's health.
  nonisolated let work: WorkTime
  private(set) var surfaces: [SurfaceID: Surface] = [:]
  /// The animations that continue from flip to flip without a request.
  var stepping: [SurfaceID: Stepping] = [:]
  /// The reduced image that is being read.
  var reading: Reading?

  init(on loop: any EventLoop, fontMemory: String?, loader: ImageLoader, now: @escaping @Sendable () -> UInt64) {
    self.loop = loop
    self.fontMemory = fontMemory
    self.loader = loader
    work = WorkTime(now: now)
  }

  /// Finds the font before the first frame needs it. An error here is ignored: it occurs again, and is reported, when
  /// the font is needed.
  func warmUp(_ style: Style) {
    var style = style
    // The size does not matter, and one that is given is found faster.
    style.largest = 0.1
    let view = View(banner: "Placard", style: style)
    work.begin()
    defer { work.end() }
    _ = try? layOut(view, on: DisplayMetrics(pixels: Size(640, 360), scale: 1), with: readyMaterials())
  }

  /// Checks remembered fonts with fontconfig. Returns true if all frames must be painted again. A painter that has not
  /// started does the check when it starts, because fontconfig is available by then.
  func confirmFonts() -> Bool {
    fontMemory = nil
    guard (try? materials?.confirmFonts()) ?? false else { return false }
    forgetFrames()
    return true
  }

  /// Discards all fonts if the installed ones have changed since the lookup. Returns true if frames must be painted
  /// again.
  func renewFonts() -> Bool {
    guard materials?.typesetter.isOutOfDate ?? false else { return false }
    materials = nil
    forgetFrames()
    return true
  }

  /// Discards the layouts and frames of all surfaces, which have other fonts from now on.
  private func forgetFrames() {
    for (id, surface) in surfaces {
      stopStepping(id)
      surface.forget()
    }
  }

  /// Finds the fonts that cannot be used.
  ///
  /// - Parameter fonts: Names, patterns or paths of fonts.
  /// - Returns: The fonts among them that cannot be used, each with the reason and the font that takes its place; nil
  ///   if there is no font at all.
  func missingFonts(among fonts: Set<String>) -> [String: String]? {
    work.begin()
    defer { work.end() }
    guard let typesetter = try? readyMaterials().typesetter else { return nil }
    var missing: [String: String] = [:]
    for font in fonts { missing[font] = try? typesetter.warning(ofFont: font) }
    return missing
  }

  /// Adds an output, lays out its first frame, and draws the glyphs and images of that, so that `paintFirst` takes less
  /// time. Its buffer is allocated meanwhile. Errors here are ignored: they occur again, and are reported, when the frame
  /// is painted.
  func mount(_ id: SurfaceID, _ size: Size, scale: Int, _ options: Surface.Options, for view: View) async {
    surfaces[id] = Surface(size: size, scale: scale, options)
    guard let laidOut = try? await arrange(id, view), let surface = surfaces[id] else { return }
    work.begin()
    defer { work.end() }
    if let materials { surface.drawAhead(laidOut, with: materials) }
  }

  /// Sets the options of an output for future frames.
  func adjust(_ id: SurfaceID, to options: Surface.Options) {
    stopStepping(id)
    surfaces[id]?.adjust(to: options)
  }

  /// Adds the second buffer of an output. Returns false if it differs from the first one. The buffer is freed if the
  /// output was removed.
  func addBuffer(_ id: SurfaceID, _ buffer: consuming FrameBuffer) -> Bool {
    guard let surface = surfaces[id] else { return true }
    return surface.addBack(buffer)
  }

  /// Paints the whole first frame of a mounted output into its first buffer.
  ///
  /// - Returns: The result, which has no frame to flip to.
  func paintFirst(
    _ id: SurfaceID, _ buffer: consuming FrameBuffer, _ view: View, refresh: Int
  ) async throws(TypesettingError) -> Painted {
    // If the fonts were replaced or images evicted since `mount`, the view is laid out again.
    let ready = surfaces[id].flatMap { loadedLayout(of: view, on: $0)?.0 }
    let laidOut = if let ready { ready } else { try await arrange(id, view) }
    guard let laidOut, let surface = surfaces[id] else { return Painted(frame: nil, warnings: []) }
    work.begin()
    defer { work.end() }
    let materials = try readyMaterials()
    let list = laidOut.list
    surface.paintFirst(laidOut, into: buffer, with: materials)
    let moving = Moving.next(list.strip, of: view, from: nil, after: nil, refresh: refresh)
    return Painted(
      frame: nil, warnings: list.warnings, lostPictures: list.lostPictures,
      extent: Extent(list, materials.typesetter), moving: moving)
  }

  /// Paints a scene into the back buffer, and presents it. Animations in the frame on screen continue, and requested
  /// scrolls begin.
  func paint(_ job: PaintJob, to target: FlipTarget) async throws(TypesettingError) -> Painted {
    let (id, view) = (job.surface, job.moment.view)
    // Another mode may have been set while images were read.
    guard let laidOut = try await arrange(id, view), let surface = surfaces[id],
      target.permit.state.allows(target.generation)
    else {
      return Painted(frame: nil, warnings: [])
    }
    work.begin()
    defer { work.end() }
    let materials = try readyMaterials()
    let list = laidOut.list
    let moving = Moving.next(
      list.strip, of: view, from: surface.distance(of: laidOut), after: job.moving, refresh: job.refresh,
      fades: surface.fades(to: laidOut) && hasPictures(of: surface))
    let frame = surface.paintNext(laidOut, at: moving?.position, with: materials).map {
      Frame(buffer: $0.buffer, damage: $0.damage)
    }
    // Before the present call: the flip may arrive before the call returns.
    step(job, frame == nil ? nil : moving, to: target)
    let answer = frame.map(target.present) ?? .unasked
    // No flip will arrive.
    if case .presented = answer {} else { stopStepping(id) }
    return Painted(
      frame: frame, warnings: list.warnings, lostPictures: list.lostPictures,
      extent: Extent(list, materials.typesetter), moving: moving, answer: answer)
  }

  /// Returns whether the images of the frame on screen are in memory, so that a cross-fade can begin with it.
  private func hasPictures(of surface: Surface) -> Bool {
    pictures.beginLookup(since: 0)
    surface.findFrontPictures(on: pictures)
    return pictures.removeMissing().isEmpty
  }

  /// Returns how a view is shown, after the wait for its images. The frame need not be painted.
  func inspect(_ id: SurfaceID, _ view: View) async -> Painting.Inspection {
    guard let list = try? await arrange(id, view)?.list else { return Painting.Inspection() }
    return inspection(of: list)
  }

  /// Paints the frame on screen, and the one in the back buffer, again if they were erased. Returns whether the one on
  /// screen was, which makes it another frame.
  func restoreFrames(_ id: SurfaceID) async -> Bool {
    let mounted = surfaces[id]
    await findPictures { mounted?.findFrontPictures(on: $0) }
    guard let surface = surfaces[id], let materials else { return false }
    work.begin()
    defer { work.end() }
    return surface.restoreFrames(with: materials)
  }

  /// Discards the layout, so that files are read again for the next frame.
  func forget(_ id: SurfaceID) {
    stopStepping(id)
    surfaces[id]?.forgetLayout()
    surfaces[id]?.forgetAhead()
  }

  /// Records the flip of the newest painted frame, before any request that is made after this call.
  nonisolated func flipped(_ id: SurfaceID) {
    loop.execute { self.assumeIsolated { painter in painter.surfaces[id]?.swap() } }
  }

  /// Removes an output, and frees its buffers.
  func unmount(_ id: SurfaceID) {
    surfaces[id] = nil
    (incomplete[id], completed[id]) = (nil, nil)
    if reading?.surface == id { reading = nil }
    stopStepping(id)
  }

  /// Returns the frame on screen, read from the buffer that is scanned out, and its rotation there; nil if there is
  /// none.
  func picture(_ id: SurfaceID) -> (RGBImage, Rotation)? { surfaces[id]?.frontPicture() }

  func readyMaterials() throws(TypesettingError) -> RenderResources {
    if let materials { return materials }
    let made = try RenderResources(fontMemory: fontMemory, pictures: pictures)
    materials = made
    return made
  }
}
