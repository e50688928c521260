import Displays
import NIOCore
import Scenes

/// What moves on an output, in which view.
struct Moving {
  let view: View
  /// Pixels a second of the display.
  let speed: Int
  var motion: Motion
  /// How far it is in the picture that was painted last.
  var painted: Int
}

extension Director {
  /// How far what moves in a view is in the picture to be painted next: a view that comes anew begins at its beginning.
  func distance(of view: View, on output: Output) -> Int {
    guard let moving = output.moving, moving.view == view, output.isLit else { return 0 }
    return moving.motion.distance
  }

  /// Notes what a painted picture has in it that moves.
  func note(_ painted: Painter.Painted, of view: View, after distance: Int, on output: Output) {
    guard let speed = painted.speed else { return output.moving = nil }
    if distance > 0, output.moving?.view == view, output.moving?.speed == speed {
      output.moving?.painted = distance
    } else {
      let motion = Motion(speed: speed, refresh: output.candidate?.mode.refresh ?? 0)
      output.moving = Moving(view: view, speed: speed, motion: motion, painted: 0)
    }
  }

  /// A picture of what moves is on the glass: the next one is asked for when its time comes.
  func move(_ output: Output, at time: UInt64) {
    guard let moving = output.moving else { return }
    if moving.painted > 0 {
      output.moving?.motion.stepped(at: time, hasVBlank: output.hasVBlank)
      let missed = (output.moving?.motion.missed ?? 0) - moving.motion.missed
      output.missedFrames = (output.missedFrames ?? 0) + missed
    }
    // What is being painted already goes on from its own flip.
    guard output.frames.state == .idle else { return }
    output.motionTimer?.cancel()
    output.motionTimer = nil
    let due = output.moving?.motion.due(hasVBlank: output.hasVBlank) ?? 0
    let now = environment.now()
    guard due > now else { return handle(.sceneChanged, for: output) }
    let name = output.name
    output.motionTimer = loop.scheduleTask(in: .nanoseconds(Int64(due - now))) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { director in director.stepIsDue(name) }
    }
  }

  private func stepIsDue(_ name: String) {
    guard let (_, output) = output(name), output.isLit, output.moving != nil, output.frames.state == .idle else {
      return
    }
    handle(.sceneChanged, for: output)
  }

  /// What is dark or asleep does not move, and costs nothing.
  func stopMoving(_ output: Output) {
    output.motionTimer?.cancel()
    output.motionTimer = nil
  }
}
