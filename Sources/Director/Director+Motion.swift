import Control
import Displays
import NIOCore

extension Director {
  /// A picture of what moves is on the glass: the next one is asked for when its time comes. What has come to its end
  /// moves no more.
  func move(_ output: Output, at time: UInt64) {
    guard var moving = output.moving else { return }
    if let missed = moving.arrived(at: time, hasVBlank: output.hasVBlank) {
      output.missedFrames = (output.missedFrames ?? 0) + missed
      output.missedInARow = max(output.missedInARow ?? 0, missed)
    }
    output.moving = moving.isOver ? nil : moving
    // Whoever was told of its first picture and looked has seen it on its way.
    if moving.isOver, let words = output.showing.words { tell(.messageShown, output.name, at: time, detail: words) }
    stopMoving(output)
    // What is being painted already goes on from its own flip.
    guard !moving.isOver, output.frames.state == .idle else { return }
    let due = moving.motion.due(hasVBlank: output.hasVBlank)
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

  /// Asks for no further picture of what moves. What is dark or asleep costs nothing.
  func stopMoving(_ output: Output) {
    output.motionTimer?.cancel()
    output.motionTimer = nil
  }
}
