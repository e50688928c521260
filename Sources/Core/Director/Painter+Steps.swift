import Displays
import Layout
import NIOCore
import Outputs
import Pictures
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

  /// What became of a flip that was a painter's.
  struct Step: Sendable {
    enum Outcome: Sendable {
      /// Nothing: it is the director's.
      case left
      /// The painter knows that what it painted last is on the glass, and leaves it to the director what follows.
      case swapped
      /// The same, and the card was given the next picture.
      case answered(Next)
    }

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
    let outcome: Outcome
  }

  /// Goes on with what moves when the flip of the picture that is about to be asked for comes; with nil there is nothing to go
  /// on with. What moves with some of the pictures only is asked for by a clock, as all is without vertical blanks.
  func step(_ id: SurfaceID, _ moving: Moving?, of view: View, to glass: Glass) {
    stopStepping(id)
    guard let moving, moving.motion.pace.frames == 1, glass.hasVBlank,
      glass.permit.handle(.following(generation: glass.generation)) == .proceed
    else { return }
    let follower = FlipFollower { [weak self] flip in self?.hear(flip, id, glass) }
    stepping[id] = Stepping(view: view, moving: moving, glass: glass, follower: follower)
    glass.card.followers.add(follower, of: glass.crtc)
  }

  /// A flip was told, on the thread that reads them. Where a mode was set meanwhile it may be that one's, and is the
  /// director's at once; else the painter's turn decides, so that the director hears of flips in their order.
  private nonisolated func hear(_ flip: Flip, _ id: SurfaceID, _ glass: Glass) {
    switch glass.permit.handle(.flipped(generation: glass.generation)) {
    case .controlLoop: glass.tell(Step(flip: flip, outcome: .left))
    case .renderThread: loop.execute { self.assumeIsolated { painter in painter.answer(flip, id, glass) } }
    case .ignore, .proceed, .stop: break
    }
  }

  /// Leaves the flips to come to the director.
  func stopStepping(_ id: SurfaceID) {
    guard let former = stepping.removeValue(forKey: id) else { return }
    former.glass.card.followers.remove(former.follower, of: former.glass.crtc)
  }

  /// A flip came: gives the card the next picture, where there is one at once.
  private func answer(_ flip: Flip, _ id: SurfaceID, _ glass: Glass) {
    guard let surface = surfaces[id], let last = stepping[id], last.glass.generation == glass.generation,
      glass.permit.handle(.rendering(generation: glass.generation)) == .proceed,
      let (moving, missed) = last.moving.following(flip)
    else {
      stopStepping(id)
      return glass.tell(Step(flip: flip, outcome: .left))
    }
    surface.swap()
    work.begin()
    defer { work.end() }
    guard let frame = frame(of: last.view, after: moving.painted, on: surface),
      case .presented = glass.askForStep(frame)
    else {
      stopStepping(id)
      return glass.tell(Step(flip: flip, outcome: .swapped))
    }
    stepping[id]?.moving = moving
    let next = Step.Next(generation: glass.generation, moving: moving, frame: frame, missed: missed)
    glass.tell(Step(flip: flip, outcome: .answered(next)))
  }

  private func frame(of view: View, after distance: Int, on surface: Surface) -> Frame? {
    guard let materials = try? readyMaterials(), let laidOut = try? surface.layOut(view, with: materials) else {
      return nil
    }
    // What has to be read again is worth a pause.
    pictures.beginLookup(since: 0)
    laidOut.list.findPictures(on: pictures)
    guard pictures.removeMissing().isEmpty else { return nil }
    return surface.paintNext(laidOut, after: distance, with: materials).map {
      Frame(buffer: $0.buffer, damage: $0.damage)
    }
  }
}
