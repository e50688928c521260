import Layout
import NIOCore
import Pictures
import Scenes
import Typesetting

/// Images of files, which the loader reads. The render thread reads no files itself: it requests missing images, and
/// does other work until they arrive.
extension Painter {
  /// Lays out a view with its images in memory. The warnings list images that did not arrive in time; those are painted
  /// when they arrive.
  ///
  /// - Returns: The layout; nil if the surface was removed, before the call or during it.
  func arrange(_ id: SurfaceID, _ view: View) async throws(TypesettingError) -> Surface.LaidOut? {
    // A late image is used although it was loaded before this lookup: a network share may be as slow the next time.
    let since = completed.removeValue(forKey: id) ?? pictures.moment
    let deadline = loader.deadline
    pictures.hold()
    defer { pictures.release() }
    while let surface = surfaces[id] {
      pictures.beginLookup(since: since)
      let laidOut = try arrange(view, on: surface)
      let missing = pictures.removeMissing()
      if missing.isEmpty { return laidOut }
      surface.forgetLayout()
      surface.forgetAhead()
      if await load(missing, until: deadline) { incomplete[id] = min(since, incomplete[id] ?? since) }
    }
    return nil
  }

  /// Lays out a view that comes next with its images in memory, and paints it into the back buffer if nothing moves.
  ///
  /// - Returns: The reasons why images are not shown, each a sentence.
  func prepare(_ id: SurfaceID, _ view: View) async -> [String] {
    pictures.hold()
    defer { pictures.release() }
    guard let ahead = await layOutAhead(id, view) else { return [] }
    if stepping[id] == nil, let surface = surfaces[id], let materials = try? readyMaterials() {
      work.begin()
      defer { work.end() }
      surface.paintAhead(ahead.laidOut, with: materials)
    }
    return ahead.laidOut.list.lostPictures
  }

  /// Lays out a view that comes next with its images in memory. The caller holds the images.
  ///
  /// - Returns: The layout, and the moment of the lookup of its images if some did not arrive in time; nil if the view
  ///   cannot be laid out, or if the surface was removed.
  func layOutAhead(_ id: SurfaceID, _ view: View) async -> (laidOut: Surface.LaidOut, lateSince: Int?)? {
    let (since, deadline) = (pictures.moment, loader.deadline)
    var lateSince: Int?
    while let surface = surfaces[id] {
      pictures.beginLookup(since: since)
      guard let laidOut = try? arrangeAhead(view, on: surface) else { return nil }
      let missing = pictures.removeMissing()
      if missing.isEmpty { return (laidOut, lateSince) }
      surface.forgetAhead()
      if await load(missing, until: deadline) { lateSince = since }
    }
    return nil
  }

  private func arrangeAhead(_ view: View, on surface: Surface) throws(TypesettingError) -> Surface.LaidOut {
    work.begin()
    defer { work.end() }
    let laidOut = try surface.layOutAhead(view, with: readyMaterials())
    laidOut.list.findPictures(on: pictures)
    return laidOut
  }

  /// The time that a request that does not wait for frames waits for image files.
  static let quickLook = Duration.seconds(1)

  /// Returns how a view is shown, with a wait for its images until `limit` at most. The images that this call loads are
  /// not kept. Only the painting of a frame keeps images, and records which of them are late.
  func inspect(_ id: SurfaceID, _ view: View, until limit: ContinuousClock.Instant) async -> Painting.Inspection {
    guard let surface = surfaces[id] else { return Painting.Inspection() }
    pictures.hold()
    pictures.beginLookup(since: pictures.moment)
    let list = (try? arrange(view, on: surface))?.list
    let missing = pictures.removeMissing()
    pictures.release()
    guard let list else { return Painting.Inspection() }
    var inspection = inspection(of: list)
    if missing.isEmpty { return inspection }
    surface.forgetLayout()
    let failures = await loader.load(missing, until: limit) { _ in }.compactMap(\.failure).map { failure in
      // Displays are checked one after the other, so the later ones have less of the time.
      if case .late(let path, _) = failure { ImageError.late(path, Self.quickLook) } else { failure }
    }
    inspection.warnings = list.warnings.filter { !list.lostPictures.contains($0) } + failures.map { "\($0)" }
    return inspection
  }

  func inspection(of list: DisplayList) -> Painting.Inspection {
    var inspection = Painting.Inspection(warnings: list.warnings)
    if let materials = try? readyMaterials() { inspection.extent = Extent(list, materials.typesetter) }
    return inspection
  }

  private func arrange(_ view: View, on surface: Surface) throws(TypesettingError) -> Surface.LaidOut {
    work.begin()
    defer { work.end() }
    let laidOut = try surface.layOut(view, with: readyMaterials())
    laidOut.list.findPictures(on: pictures)
    return laidOut
  }

  /// Loads the images that a lookup misses, as far as they arrive in time.
  func findPictures(_ look: (ImageCache) -> Void) async {
    pictures.hold()
    defer { pictures.release() }
    pictures.beginLookup(since: pictures.moment)
    look(pictures)
    let missing = pictures.removeMissing()
    if !missing.isEmpty { _ = await load(missing, until: loader.deadline) }
  }

  /// Loads missing images into the cache. Returns whether some did not arrive in time.
  private func load(_ missing: [ImageRequest], until deadline: ContinuousClock.Instant) async -> Bool {
    let answers = await loader.load(missing, until: deadline) { [weak self, loop] answer in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.receive(late: answer) } }
    }
    for answer in answers { pictures.put(answer) }
    return answers.contains(where: \.isLate)
  }

  /// Adds an image that arrived after its frame was painted.
  private func receive(late answer: ImageResponse) {
    pictures.put(answer)
    let surfaces = incomplete
    incomplete = [:]
    for (id, since) in surfaces {
      completed[id] = since
      stopStepping(id)
      self.surfaces[id]?.forgetPictures()
    }
    picturesReceiver?(Set(surfaces.keys))
  }

  /// Sets the receiver of the surfaces that can be repainted with late images.
  func reportPictures(_ receiver: @escaping @Sendable (Set<SurfaceID>) -> Void) { picturesReceiver = receiver }
}
