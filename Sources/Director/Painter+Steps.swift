import Displays
import NIOCore
import Scenes
import Typesetting

/// What moves goes on from flip to flip on its painter's thread: the director hears of it, and nothing waits for that. It may
/// be at work on another monitor's plug, or on a command, for longer than a picture stands.
extension Painter {
  /// What a painter goes on with when the flip comes.
  struct Stepping {
    let view: View
    /// As it was painted last.
    var moving: Moving
    let glass: Glass
    let follower: FlipFollower
  }

  /// A flip that went to a painter.
  struct Step: Sendable {
    /// A picture that the card was given at once.
    struct Next: Sendable {
      let generation: Int
      /// What moves, with this picture painted.
      let moving: Moving
      let frame: Frame
      /// How many were missed before the flip; nil where that was no step.
      let missed: Int?
    }

    let flip: Flip
    /// Whether the painter knows that what it painted last is on the glass.
    var isTaken = false
    /// nil where it is left to the director what follows.
    var next: Next?
  }

  /// Goes on with what moves when the flip of the picture that was painted just now comes; with nil there is nothing to go on
  /// with. Without vertical blanks it is a clock that asks for pictures.
  func step(_ id: SurfaceID, _ moving: Moving?, of view: View, to glass: Glass) {
    stopStepping(id)
    guard let moving, glass.hasVBlank, glass.permit.allows(glass.generation) else { return }
    glass.permit.expectsFlip = false
    let follower = FlipFollower { [weak self] flip in
      guard let self else { return }
      if glass.permit.takeFlip() {
        glass.permit.handOver()
        self.loop.execute { self.assumeIsolated { painter in painter.answer(flip, id, glass) } }
      } else if !glass.permit.allows(glass.generation) {
        // A mode was set meanwhile, and this may be its flip; else one that nobody asked for is nobody's.
        glass.permit.handOver()
        glass.tell(Step(flip: flip))
      }
    }
    stepping[id] = Stepping(view: view, moving: moving, glass: glass, follower: follower)
    glass.card.followers.add(follower, of: glass.crtc)
  }

  /// Leaves the flips to come to the director.
  func stopStepping(_ id: SurfaceID) {
    guard let former = stepping.removeValue(forKey: id) else { return }
    former.glass.card.followers.remove(former.follower, of: former.glass.crtc)
  }

  /// A flip came: gives the card the next picture, where there is one at once.
  private func answer(_ flip: Flip, _ id: SurfaceID, _ glass: Glass) {
    guard let surface = surfaces[id], let last = stepping[id], last.glass.generation == glass.generation,
      glass.permit.allowsStep(in: glass.generation), let (moving, missed) = last.moving.following(flip)
    else {
      stopStepping(id)
      return glass.tell(Step(flip: flip))
    }
    surface.swap()
    guard let frame = frame(of: last.view, after: moving.painted, on: surface),
      glass.permit.allows(glass.generation), case .presented = glass.ask(for: frame)
    else {
      stopStepping(id)
      return glass.tell(Step(flip: flip, isTaken: true))
    }
    stepping[id]?.moving = moving
    glass.tell(
      Step(
        flip: flip, isTaken: true,
        next: Step.Next(generation: glass.generation, moving: moving, frame: frame, missed: missed)))
  }

  private func frame(of view: View, after distance: Int, on surface: Surface) -> Frame? {
    guard let materials = try? readyMaterials(), let laidOut = try? surface.layOut(view, with: materials) else {
      return nil
    }
    return surface.paintNext(laidOut, after: distance, with: materials).map {
      Frame(buffer: $0.buffer, damage: $0.damage)
    }
  }
}
