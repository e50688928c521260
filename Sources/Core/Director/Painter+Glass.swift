import Displays
import Outputs

extension Painter {
  /// Where painted frames go: the CRTC that is lit for an output, in one generation of its frames.
  ///
  /// Painters ask the card themselves. The call waits for no picture, but for the kernel's locks, which another output's
  /// modeset may hold for as long as a link is trained: the control loop does not wait with it, nor do other painters.
  struct Glass: Sendable {
    let card: any DisplayCard
    let crtc: UInt32
    /// The connector's name, for messages.
    let display: String
    let generation: Int
    let permit: SharedFramePermit
    /// Whether the driver has vertical blanks, as far as is known.
    let hasVBlank: Bool
    /// Tells the director what became of a flip that was the painter's.
    let tell: @Sendable (Step) -> Void

    /// Asks for a frame at the next vertical blank; the director waits for the answer.
    func present(_ frame: Frame) -> Answer {
      guard permit.handle(.presenting(generation: generation)) == .proceed else { return .unasked }
      return ask(for: frame)
    }

    /// Asks for a frame at the next vertical blank, by which a flip is answered; nobody waits for that.
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

  /// What became of a frame that was painted.
  enum Answer: Sendable {
    /// The picture is the same as the one on the glass, or it is not wanted any more: the card was not asked.
    case unasked
    /// The card took it; its flip follows.
    case presented
    case refused(CardError)
  }

  /// Gives a frame that was painted to the card once more.
  func present(_ frame: Frame, to glass: Glass) -> Answer {
    work.begin()
    defer { work.end() }
    return glass.present(frame)
  }
}
