import Displays
import Synchronization

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
    let permit: Permit
    /// Whether the driver has vertical blanks, as far as is known.
    let hasVBlank: Bool
    /// Tells the director what became of a flip that was the painter's.
    let tell: @Sendable (Step) -> Void

    /// Asks for a frame at the next vertical blank; the director waits for the answer.
    func present(_ frame: Frame) -> Answer {
      guard permit.allows(generation) else { return .unasked }
      permit.isUsed = true
      return ask(for: frame)
    }

    /// Asks for a frame at the next vertical blank, by which a flip is answered; nobody waits for that.
    func askForStep(_ frame: Frame) -> Answer {
      permit.isStepping = true
      defer { permit.isStepping = false }
      return ask(for: frame)
    }

    private func ask(for frame: Frame) -> Answer {
      permit.expectsFlip = true
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

  /// Which generation of an output's frames may go to the glass. The director says so, and painters look before they ask
  /// the card. Where that is in the very same moment nothing is lost: a CRTC that is off refuses, and a modeset of the output
  /// carries a first picture of this painter, who is done with its call by then.
  final class Permit: Sendable {
    private let generation = Atomic(0)
    private let use = Atomic(false)
    private let step = Atomic(false)
    private let flip = Atomic(false)
    private let hands = Atomic(0)
    private let call = Atomic(false)

    /// Whether the card was asked for a frame that the director had painted, and the director has not dealt with the answer. The painter says so before it
    /// asks: the flip may be told before the call returns.
    var isUsed: Bool {
      get { use.load(ordering: .acquiring) }
      set { use.store(newValue, ordering: .releasing) }
    }

    func allows(_ other: Int) -> Bool { generation.load(ordering: .acquiring) == other }

    /// Whether a flip is still to come for which the card was, or is being, asked; of meaning only while a painter follows.
    var expectsFlip: Bool {
      get { flip.load(ordering: .acquiring) }
      set { flip.store(newValue, ordering: .releasing) }
    }

    /// Whether a flip that is told is the one that was asked for; there is one at most.
    func claimFlip() -> Bool { flip.exchange(false, ordering: .acquiringAndReleasing) }

    /// Whether the card is being asked for a step.
    var isStepping: Bool {
      get { call.load(ordering: .acquiring) }
      set { call.store(newValue, ordering: .releasing) }
    }

    /// How many flips were told to the painter's follower, and the director has not heard what became of them.
    var flipsInHand: Int { hands.load(ordering: .acquiring) }
    func handOver() { hands.add(1, ordering: .acquiringAndReleasing) }
    func handBack() { hands.subtract(1, ordering: .acquiringAndReleasing) }

    /// Whether a flip may be answered with the next picture of what moves: there is no other one to show.
    func allowsStep(in other: Int) -> Bool { allows(other) && step.load(ordering: .acquiring) }

    func renew(_ newest: Int, mayStep: Bool) {
      generation.store(newest, ordering: .releasing)
      step.store(mayStep, ordering: .releasing)
    }
  }

  /// Gives a frame that was painted to the card once more.
  func present(_ frame: Frame, to glass: Glass) -> Answer {
    work.begin()
    defer { work.end() }
    return glass.present(frame)
  }
}
