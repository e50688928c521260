import Displays
import Layout
import NIOCore
import Outputs
import Pictures
import Scenes
import Typesetting

/// Animations that continue from flip to flip on the render thread. The director is notified, and no frame waits for
/// it. It can be busy for longer than a frame, with a hotplug of another monitor or with a command.
extension Painter {
  /// The state of an animation that the render thread continues at the next flip.
  struct Stepping {
    /// The content as last painted.
    var job: PaintJob
    /// The animation as last painted.
    var moving: Moving
    let target: FlipTarget
    let follower: FlipFollower
    /// Newer content for the next frame, which is laid out.
    var offered: PaintJob?
  }

  /// Prepares to continue an animation at the flip of the frame that is about to be presented. With nil, only stops the
  /// former animation. A clock requests the frames of an animation that does not move in every frame, and of all
  /// animations without vertical blanks.
  func step(_ job: PaintJob, _ moving: Moving?, to target: FlipTarget) {
    let id = job.surface
    stopStepping(id)
    guard let moving, moving.motion.pace.frames == 1, target.hasVBlank,
      target.permit.handle(.following(generation: target.generation)) == .proceed
    else { return }
    let follower = FlipFollower { [weak self] flip in self?.hear(flip, id, target) }
    stepping[id] = Stepping(job: job, moving: moving, target: target, follower: follower)
    target.card.followers.add(follower, of: target.crtc)
  }

  /// Lays out newer content for the next frame of an animation. The animation continues meanwhile.
  ///
  /// Content that cannot be presented that way is left to the director, with the next flip.
  func offer(_ job: PaintJob, generation: Int) async {
    let id = job.surface
    pictures.hold()
    defer { pictures.release() }
    let ahead = await layOutAhead(id, job.moment.view)
    // Meanwhile, newer content may have been painted or offered.
    guard let last = stepping[id], last.target.generation == generation,
      job.version >= (last.offered ?? last.job).version
    else { return }
    guard let ahead else { return stopStepping(id) }
    if let since = ahead.lateSince { incomplete[id] = min(since, incomplete[id] ?? since) }
    stepping[id]?.offered = job
  }

  /// Handles a flip on the thread that reads flip events. If a mode was set meanwhile, the flip may belong to that
  /// modeset, so it goes directly to the director. Otherwise the render thread decides, so that the director receives
  /// flips in order.
  private nonisolated func hear(_ flip: Flip, _ id: SurfaceID, _ target: FlipTarget) {
    switch target.permit.handle(.flipped(generation: target.generation)) {
    case .controlLoop: target.report(Step(flip: flip, outcome: .left))
    case .renderThread: loop.execute { self.assumeIsolated { painter in painter.answer(flip, id, target) } }
    case .ignore, .proceed, .stop: break
    }
  }

  /// Leaves future flips to the director.
  func stopStepping(_ id: SurfaceID) {
    guard let former = stepping.removeValue(forKey: id) else { return }
    former.target.card.followers.remove(former.follower, of: former.target.crtc)
  }

  /// Handles a flip: presents the next frame, if one is due immediately.
  private func answer(_ flip: Flip, _ id: SurfaceID, _ target: FlipTarget) {
    guard let surface = surfaces[id], let last = stepping[id], last.target.generation == target.generation,
      target.permit.handle(.rendering(generation: target.generation)) == .proceed,
      let (moving, missed) = last.moving.following(flip)
    else {
      stopStepping(id)
      return target.report(Step(flip: flip, outcome: .left))
    }
    surface.swap()
    work.begin()
    defer { work.end() }
    let job = last.offered ?? last.job
    guard let (laidOut, materials) = loadedLayout(of: job.moment.view, on: surface),
      let next = last.offered == nil ? moving : self.moving(laidOut, of: job, after: moving, on: surface),
      let painted = surface.paintNext(laidOut, at: next.position, with: materials)
    else {
      stopStepping(id)
      return target.report(Step(flip: flip, outcome: .swapped))
    }
    let frame = Frame(buffer: painted.buffer, damage: painted.damage)
    guard case .presented = target.askForStep(frame) else {
      stopStepping(id)
      return target.report(Step(flip: flip, outcome: .swapped))
    }
    stepping[id]?.job = job
    stepping[id]?.moving = next
    stepping[id]?.offered = nil
    let content = last.offered.map { job in
      let list = laidOut.list
      let painted = Painted(
        frame: frame, warnings: list.warnings, lostPictures: list.lostPictures,
        extent: Extent(list, materials.typesetter), moving: next, answer: .presented)
      return Step.Content(job: job, painted: painted)
    }
    let answer = Step.Next(
      generation: target.generation, moving: next, frame: frame, missed: missed, content: content)
    target.report(Step(flip: flip, outcome: .answered(answer)))
  }

  /// Returns the layout of a view; nil if some of its images are not in memory.
  func loadedLayout(of view: View, on surface: Surface) -> (Surface.LaidOut, RenderResources)? {
    guard let materials = try? readyMaterials(), let laidOut = try? surface.layOut(view, with: materials) else {
      return nil
    }
    pictures.beginLookup(since: 0)
    laidOut.list.findPictures(on: pictures)
    return pictures.removeMissing().isEmpty ? (laidOut, materials) : nil
  }

  /// Returns the animation of the first frame with offered content; nil if that is not part of an endless animation.
  private func moving(
    _ laidOut: Surface.LaidOut, of job: PaintJob, after last: Moving, on surface: Surface
  ) -> Moving? {
    let next = Moving.next(
      laidOut.list.strip, of: job.moment.view, from: nil, after: last, refresh: job.refresh,
      fades: surface.fades(to: laidOut))
    guard let next, next.isEndless, next.motion.pace.frames == 1 else { return nil }
    return next
  }
}
