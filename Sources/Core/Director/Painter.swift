import Displays
import Geometry
import Layout
import NIOCore
import Outputs
import Pictures
import Raster
import Scenes
import Typesetting

/// One thread that paints: lays scenes out, and paints what changed into the buffers.
///
/// A painter serves the outputs that were given to it, so that they share faces, glyphs and pictures. It asks the card for
/// what it painted, and waits for no flip. Pictures of files are read by the loader on another thread: a painting waits for
/// them, and others go on meanwhile.
actor Painter {
  /// Names a surface: one lit output, or one that is about to be.
  typealias SurfaceID = Int

  /// A frame that is in a buffer, ready for the glass.
  struct Frame: Sendable {
    var buffer: BufferID
    /// What differs from the frame on the glass.
    var damage: [Rect]
  }

  /// What painting a scene came to.
  struct Painted: Sendable {
    /// The frame to flip to; nil where it is the same as the one on the glass.
    var frame: Frame?
    /// What a person should know of how the scene is shown.
    var warnings: [String]
    /// Those of them that say that a picture is not shown.
    var lostPictures: [String] = []
    /// How long it is.
    var extent = Extent()
    /// What moves in it; nil where all stands still.
    var moving: Moving?
    /// What the card said to the frame.
    var answer = Answer.unasked
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  nonisolated let loop: any EventLoop
  private var fontMemory: String?
  private var materials: RenderResources?
  let loader: ImageLoader
  let pictures = ImageCache()
  /// Surfaces that were painted without some pictures, and since when files were looked for then.
  var incomplete: [SurfaceID: Int] = [:]
  /// The same of surfaces that can be painted with what came late.
  var completed: [SurfaceID: Int] = [:]
  /// Hears which surfaces can be painted with what came late.
  var picturesReceiver: (@Sendable (Set<SurfaceID>) -> Void)?
  /// When the work that is being done began, for the service's health.
  nonisolated let work: WorkTime
  private(set) var surfaces: [SurfaceID: Surface] = [:]
  /// What moves from flip to flip without being asked for.
  var stepping: [SurfaceID: Stepping] = [:]
  /// The small picture that is being read.
  var reading: Reading?

  init(on loop: any EventLoop, fontMemory: String?, loader: ImageLoader, now: @escaping @Sendable () -> UInt64) {
    self.loop = loop
    self.fontMemory = fontMemory
    self.loader = loader
    work = WorkTime(now: now)
  }

  /// Finds the font before the first frame needs it. What fails here fails again, and is told, when it is needed.
  func warmUp(_ style: Style) {
    let view = View(banner: "Placard", style: style)
    work.begin()
    defer { work.end() }
    _ = try? layOut(view, on: DisplayMetrics(pixels: Size(640, 360), scale: 1), with: readyMaterials())
  }

  /// Asks fontconfig about fonts that were only remembered; true where all pictures must be painted again. A painter
  /// that has not begun asks at once when it begins: fontconfig is there by then.
  func confirmFonts() -> Bool {
    fontMemory = nil
    return (try? materials?.typesetter.confirmFonts()) ?? false
  }

  /// Forgets all fonts where others are installed since they were looked for; true where pictures must be painted again.
  func renewFonts() -> Bool {
    guard materials?.typesetter.isOutOfDate ?? false else { return false }
    materials = nil
    for (id, surface) in surfaces {
      stopStepping(id)
      surface.forget()
    }
    return true
  }

  /// Finds the fonts that cannot be used.
  ///
  /// - Parameter fonts: Names, patterns or paths of fonts.
  /// - Returns: The fonts among them that cannot be used, each with the reason and the font that takes its place; nil if
  ///   there is no font at all.
  func missingFonts(among fonts: Set<String>) -> [String: String]? {
    work.begin()
    defer { work.end() }
    guard let typesetter = try? readyMaterials().typesetter else { return nil }
    var missing: [String: String] = [:]
    for font in fonts { missing[font] = try? typesetter.warning(ofFont: font) }
    return missing
  }

  /// Takes the first buffer of an output.
  func mount(_ id: SurfaceID, _ buffer: consuming FrameBuffer, scale: Int, _ options: Surface.Options) {
    surfaces[id] = Surface(front: buffer, scale: scale, options)
  }

  /// Takes other options for an output, for the frames to come.
  func adjust(_ id: SurfaceID, to options: Surface.Options) {
    stopStepping(id)
    surfaces[id]?.adjust(to: options)
  }

  /// Gives an output its second buffer; false where that is not like the first. One for an output that is gone is freed.
  func addBuffer(_ id: SurfaceID, _ buffer: consuming FrameBuffer) -> Bool {
    guard let surface = surfaces[id] else { return true }
    return surface.addBack(buffer)
  }

  /// Paints the whole first frame, into the first buffer.
  ///
  /// - Returns: what it came to; there is no frame to flip to.
  func paintFirst(_ id: SurfaceID, _ view: View, refresh: Int) async throws(TypesettingError) -> Painted {
    guard let laidOut = try await arrange(id, view), let surface = surfaces[id] else {
      return Painted(frame: nil, warnings: [])
    }
    work.begin()
    defer { work.end() }
    let materials = try readyMaterials()
    let list = laidOut.list
    surface.paintFirst(laidOut, with: materials)
    let moving = Moving.next(list.strip, of: view, from: nil, after: nil, refresh: refresh)
    return Painted(
      frame: nil, warnings: list.warnings, lostPictures: list.lostPictures, extent: Extent(list), moving: moving)
  }

  /// Paints a scene into the buffer that is not on the glass, and asks the card for it. What moved in the picture there
  /// goes on; what is sent to another place begins to.
  func paint(
    _ id: SurfaceID, _ view: View, after last: Moving?, refresh: Int, to glass: Glass
  ) async throws(TypesettingError) -> Painted {
    // Another mode may have been set while pictures were read.
    guard let laidOut = try await arrange(id, view), let surface = surfaces[id],
      glass.permit.state.allows(glass.generation)
    else {
      return Painted(frame: nil, warnings: [])
    }
    work.begin()
    defer { work.end() }
    let materials = try readyMaterials()
    let list = laidOut.list
    let moving = Moving.next(
      list.strip, of: view, from: surface.distance(of: laidOut), after: last, refresh: refresh)
    let frame = surface.paintNext(laidOut, after: moving?.painted, with: materials).map {
      Frame(buffer: $0.buffer, damage: $0.damage)
    }
    // Before the card is asked: the flip may come before its answer.
    step(id, frame == nil ? nil : moving, of: view, to: glass)
    let answer = frame.map(glass.present) ?? .unasked
    // There is no flip to answer.
    if case .presented = answer {} else { stopStepping(id) }
    return Painted(
      frame: frame, warnings: list.warnings, lostPictures: list.lostPictures, extent: Extent(list), moving: moving,
      answer: answer)
  }

  /// Returns the warnings of a view, a sentence each, after the wait for its pictures. The frame need not be painted.
  func warnings(_ id: SurfaceID, _ view: View) async -> [String] {
    (try? await arrange(id, view))?.list.warnings ?? []
  }

  /// Writes the first frame again where setting the mode wiped it; says whether it had to, which makes another picture of it.
  func restoreFront(_ id: SurfaceID) async -> Bool {
    let mounted = surfaces[id]
    await findPictures { mounted?.findFrontPictures(on: $0) }
    guard let surface = surfaces[id], let materials else { return false }
    work.begin()
    defer { work.end() }
    return surface.restoreFront(with: materials)
  }

  /// Forgets what was laid out: files are read anew with the next frame.
  func forget(_ id: SurfaceID) {
    stopStepping(id)
    surfaces[id]?.forgetLayout()
  }

  /// The flip to the frame that was painted last came: takes note of it before whatever is asked for after this.
  nonisolated func flipped(_ id: SurfaceID) {
    loop.execute { self.assumeIsolated { painter in painter.surfaces[id]?.swap() } }
  }

  /// Lets go of an output's buffers, which frees them.
  func unmount(_ id: SurfaceID) {
    surfaces[id] = nil
    (incomplete[id], completed[id]) = (nil, nil)
    if reading?.surface == id { reading = nil }
    stopStepping(id)
  }

  /// The frame on screen, read from the buffer that is scanned out, and its rotation there; nil if there is none.
  func picture(_ id: SurfaceID) -> (RGBImage, Rotation)? { surfaces[id]?.frontPicture() }

  func readyMaterials() throws(TypesettingError) -> RenderResources {
    if let materials { return materials }
    let made = try RenderResources(fontMemory: fontMemory, pictures: pictures)
    materials = made
    return made
  }
}
