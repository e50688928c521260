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
    let view: View
    /// The animation as last painted.
    var moving: Moving
    let target: FlipTarget
    let follower: FlipFollower
  }

  /// Prepares to continue an animation at the flip of the frame that is about to be presented. With nil, only stops the
  /// former animation. A clock requests the frames of an animation that does not move in every frame, and of all
  /// animations without vertical blanks.
  func step(_ id: SurfaceID, _ moving: Moving?, of view: View, to target: FlipTarget) {
    stopStepping(id)
    guard let moving, moving.motion.pace.frames == 1, target.hasVBlank,
      target.permit.handle(.following(generation: target.generation)) == .proceed
    else { return }
    let follower = FlipFollower { [weak self] flip in self?.hear(flip, id, target) }
    stepping[id] = Stepping(view: view, moving: moving, target: target, follower: follower)
    target.card.followers.add(follower, of: target.crtc)
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
    guard let frame = frame(of: last.view, at: moving.position, on: surface),
      case .presented = target.askForStep(frame)
    else {
      stopStepping(id)
      return target.report(Step(flip: flip, outcome: .swapped))
    }
    stepping[id]?.moving = moving
    let next = Step.Next(generation: target.generation, moving: moving, frame: frame, missed: missed)
    target.report(Step(flip: flip, outcome: .answered(next)))
  }

  private func frame(of view: View, at position: Surface.Position, on surface: Surface) -> Frame? {
    guard let materials = try? readyMaterials(), let laidOut = try? surface.layOut(view, with: materials) else {
      return nil
    }
    // If images must be read again, the animation may pause.
    pictures.beginLookup(since: 0)
    laidOut.list.findPictures(on: pictures)
    guard pictures.removeMissing().isEmpty else { return nil }
    return surface.paintNext(laidOut, at: position, with: materials).map {
      Frame(buffer: $0.buffer, damage: $0.damage)
    }
  }
}
