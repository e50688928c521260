import Displays
import Outputs

extension Painter {
  /// The flip target of painted frames: the CRTC that is enabled for an output, in one generation of its frames.
  ///
  /// Render threads call the card themselves. The call does not wait for a flip, but for the kernel's locks. A modeset
  /// of another output can hold them for as long as link training takes. The call blocks neither the control loop nor
  /// the other render threads.
  struct FlipTarget: Sendable {
    let card: any DisplayCard
    let crtc: UInt32
    /// The connector's name, for messages.
    let display: String
    let generation: Int
    let permit: SharedFramePermit
    /// Whether the driver has vertical blanks, as far as is known.
    let hasVBlank: Bool
    /// Sends the director the result of a flip that belonged to the render thread.
    let report: @Sendable (Step) -> Void

    /// Presents a frame of a new scene at the next vertical blank. The director waits for the result.
    func present(_ frame: Frame) -> Answer {
      guard permit.handle(.presenting(generation: generation)) == .proceed else { return .unasked }
      return ask(for: frame)
    }

    /// Presents an animation frame at the next vertical blank, in response to a flip. Nothing waits for the result.
    func askForStep(_ frame: Frame) -> Answer {
      guard permit.handle(.stepping(generation: generation)) == .proceed else { return .unasked }
      defer { permit.handle(.stepped) }
      return ask(for: frame)
    }

    private func ask(for frame: Frame) -> Answer {
      do throws(CardError) {
        try card.present(FlipRequest(crtc: crtc, name: display, buffer: frame.buffer, damage: frame.damage))
        return .presented
      } catch {
        return .refused(error)
      }
    }
  }

  /// Presents a painted frame again.
  func present(_ frame: Frame, to target: FlipTarget) -> Answer {
    work.begin()
    defer { work.end() }
    return target.present(frame)
  }
}
