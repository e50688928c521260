import Layout
import NIOCore
import Pictures
import Scenes
import Typesetting

/// Pictures of files come from the loader. The painter's thread has none of its calls: it asks for what is missing, and
/// does what else there is to do until that has come.
extension Painter {
  /// Where everything of a view goes, with its pictures in memory; those that did not come in time are told by its
  /// warnings, and painted when they come.
  ///
  /// - Returns: Nil where the surface is gone, before or meanwhile.
  func arrange(_ id: SurfaceID, _ view: View) async throws(TypesettingError) -> Surface.LaidOut? {
    // What came late counts, though it is older than this look: a share may be as slow the next time.
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
      if await load(missing, until: deadline) { incomplete[id] = min(since, incomplete[id] ?? since) }
    }
    return nil
  }

  /// How long a request that does not wait for frames waits for the files of pictures.
  static let quickLook = Duration.seconds(1)

  /// Returns the warnings of a view whose pictures are not waited for longer than until `limit`. What is read for them is
  /// not kept: only the painting of a frame loads pictures, and knows which of them came late.
  func warnings(_ id: SurfaceID, _ view: View, until limit: ContinuousClock.Instant) async -> [String] {
    guard let surface = surfaces[id] else { return [] }
    pictures.hold()
    pictures.beginLookup(since: pictures.moment)
    let list = (try? arrange(view, on: surface))?.list
    let missing = pictures.removeMissing()
    pictures.release()
    guard let list, !missing.isEmpty else { return list?.warnings ?? [] }
    surface.forgetLayout()
    let failures = await loader.load(missing, until: limit) { _ in }.compactMap(\.failure).map { failure in
      // Displays are looked at one after the other: the later ones have less of the time.
      if case .late(let path, _) = failure { ImageError.late(path, Self.quickLook) } else { failure }
    }
    return list.warnings.filter { !list.lostPictures.contains($0) } + failures.map { "\($0)" }
  }

  private func arrange(_ view: View, on surface: Surface) throws(TypesettingError) -> Surface.LaidOut {
    work.begin()
    defer { work.end() }
    let laidOut = try surface.layOut(view, with: readyMaterials())
    laidOut.list.findPictures(on: pictures)
    return laidOut
  }

  /// Loads what a look misses, as far as it comes in time.
  func findPictures(_ look: (ImageCache) -> Void) async {
    pictures.hold()
    defer { pictures.release() }
    pictures.beginLookup(since: pictures.moment)
    look(pictures)
    let missing = pictures.removeMissing()
    if !missing.isEmpty { _ = await load(missing, until: loader.deadline) }
  }

  /// Puts what is missing on the shelf; returns whether something did not come in time.
  private func load(_ missing: [ImageRequest], until deadline: ContinuousClock.Instant) async -> Bool {
    let answers = await loader.load(missing, until: deadline) { [weak self, loop] answer in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.receive(late: answer) } }
    }
    for answer in answers { pictures.put(answer) }
    return answers.contains(where: \.isLate)
  }

  /// A picture came after its painting.
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

  /// Has somebody hear which surfaces can be painted with what came late.
  func reportPictures(_ receiver: @escaping @Sendable (Set<SurfaceID>) -> Void) { picturesReceiver = receiver }
}
