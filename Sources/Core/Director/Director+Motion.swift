import Control
import Displays
import Logging
import NIOCore
import Outputs

extension Director {
  /// Schedules the next animation frame after one was presented. An animation that has reached its end stops.
  func move(_ output: Output, at time: UInt64) {
    // The painter schedules the next frame itself.
    if output.frames.isStepping(output.frames.generation) { return }
    guard var moving = output.moving else { return }
    count(moving.arrived(at: time, hasVBlank: output.hasVBlank), before: time, on: output)
    output.moving = moving.isOver ? nil : moving
    // Clients notified at the first animation frame may have captured it mid-scroll, so notify again at the end.
    if moving.isOver { chronicle.emitShown(output, at: time) }
    stopMoving(output)
    // A frame that is being rendered already continues from its own flip.
    guard !moving.isOver, output.frames.state == .idle else { return }
    let due = moving.motion.due(hasVBlank: output.hasVBlank)
    let now = environment.now()
    guard due > now else { return repaint(output) }
    output.animationDue = self.due(inNanoseconds: Int64(clamping: due - now))
    schedule(output.animationDue)
  }

  /// Adds the frames that were missed before a step to the counters. Nil means that the frame was not a step.
  private func count(_ missed: Int?, before time: UInt64, on output: Output) {
    guard let missed else { return }
    if missed > 0 { logger.debug("\(output.name): missed \(missed) before \(time / 1000)") }
    output.missedFrames = (output.missedFrames ?? 0) + missed
    output.missedInARow = max(output.missedInARow ?? 0, missed)
  }

  /// Returns a closure that passes a painter's reports about the flips of an output to the director. The output is
  /// identified by its permit.
  func stepHandler(of output: Output) -> @Sendable (Painter.Step) -> Void {
    let (permit, card) = (output.permit, output.managed.card)
    return { [weak self] step in
      guard let self else { return }
      self.loop.execute { self.assumeIsolated { director in director.stepped(step, permit, card) } }
    }
  }

  private func stepped(_ step: Painter.Step, _ permit: SharedFramePermit, _ card: any DisplayCard) {
    permit.handle(.reported)
    guard let managed = managedCards[card.path], managed.card === card else { return }
    let output = managed.outputs.values.first { $0.permit === permit }
    defer { output.map(takeHeldFlips) }
    if case .left = step.outcome { return heard(step.flip, managed) }
    guard let output else { return }
    guard output.isTakingFlip else { return handle(step, output) }
    Task { await output.takeFlip { handle(step, output) } }
  }

  /// Handles a step. The flip of a step of another generation was requested before a mode was set, and belongs to no
  /// current frame.
  private func handle(_ step: Painter.Step, _ output: Output) {
    guard case .answered(let next) = step.outcome else { return handle(step.flip, output, isTaken: true) }
    guard next.generation == output.frames.generation else { return }
    count(next.missed, before: step.flip.time, on: output)
    output.moving = next.moving
    output.frame = next.frame
    output.serial += 1
    feed(.stepped(display: output.name, generation: next.generation, time: step.flip.time), to: output.managed)
  }

  /// Requests the next frame of an animation.
  func stepIsDue(_ name: String) {
    guard let (_, output) = output(name) else { return }
    output.animationDue = nil
    guard output.isLit, output.moving != nil, output.frames.state == .idle else { return }
    repaint(output)
  }

  /// Cancels the next animation frame, so that a dark or sleeping display costs no processor time.
  func stopMoving(_ output: Output) { output.animationDue = nil }
}
