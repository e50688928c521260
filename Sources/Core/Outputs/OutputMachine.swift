package import Displays

/// A mode on a CRTC, with the frames for it.
package struct Lit: Hashable, Sendable {
  /// The second buffer of the surface, which the first frame does not wait for.
  package enum SecondBuffer: Hashable, Sendable {
    /// The card is asked for it.
    case requested(EffectID)
    /// There is none. It is requested again when a frame needs it.
    case failed(CardError)
    /// The surface has both buffers.
    case ready
  }

  /// The CRTC's object ID.
  package var crtc: UInt32
  /// The mode.
  package var candidate: ModeChoice.Candidate
  /// The modes that are left to try, best first.
  package var ladder: [ModeChoice.Candidate]
  /// The surface with the frames.
  package var surface: Int
  /// The surfaces of earlier modes, which may be on screen until the first flip.
  package var retired: [Int] = []
  /// The second buffer.
  package var secondBuffer: SecondBuffer
  /// The generation of the frame that waits for the second buffer; nil if none does.
  var waitingPaint: Int?
  /// True if the second buffer was requested a second time, for a frame.
  var isBufferRetried = false
}

/// An output that waits for a mode, or that a plan is to light.
package struct LightingAttempt: Hashable, Sendable {
  /// The mode before, which may still be on screen; nil if there was none.
  package var before: Lit?
  /// The modes to try, best first; nil to let the policy choose.
  package var candidates: [ModeChoice.Candidate]?
  /// True if the CRTC of `before` is disabled first, because its flips stopped.
  package var isStuck = false
  /// The state of the display until the plan begins.
  package var state = DisplayState.lighting
}

/// The phase of an output, with what belongs to it.
package indirect enum OutputPhase: Hashable, Sendable {
  /// The display counts as dark, for a known reason. If another program is DRM master, the mode that was set is kept: it
  /// may still be on screen.
  case dark(Darkness, reason: String, Lit? = nil)
  /// A plan is to light the output, or is being carried out.
  case lighting(LightingAttempt)
  /// A mode is set. The display counts as lit after the first flip.
  case lit(Lit)
  /// The output sleeps. Mode, CRTC and surface are kept; nil if it never had any.
  case asleep(Lit?, reason: String, hasSignal: Bool)
}

/// One output of a card: its monitor, its wish and its phase.
///
/// It is read many times for each event, so that copies share its fields.
package struct OutputMachine: Hashable, Sendable {
  private struct Fields: Hashable, Sendable {
    var connector: ConnectorSnapshot
    var wish: OutputWish?
    var phase = OutputPhase.lighting(LightingAttempt())
    var frames: FrameMachine
    var choice: ModeChoice?
    var attempts = Attempts()
    var hasBeenLit = false
  }

  // An array of one element, which is copied when it is changed while another copy exists.
  private var fields: [Fields]

  init(_ connector: ConnectorSnapshot, _ frames: FrameMachine) {
    fields = [Fields(connector: connector, frames: frames)]
  }

  /// The connector with its monitor.
  package internal(set) var connector: ConnectorSnapshot {
    get { fields[0].connector }
    _modify { yield &fields[0].connector }
  }
  /// The state that the output should be in; nil until it is known.
  package internal(set) var wish: OutputWish? {
    get { fields[0].wish }
    _modify { yield &fields[0].wish }
  }
  /// The phase.
  package internal(set) var phase: OutputPhase {
    get { fields[0].phase }
    _modify { yield &fields[0].phase }
  }
  /// The state of rendering and flips.
  package internal(set) var frames: FrameMachine {
    get { fields[0].frames }
    _modify { yield &fields[0].frames }
  }
  /// The choice that the policy made last.
  package internal(set) var choice: ModeChoice? {
    get { fields[0].choice }
    _modify { yield &fields[0].choice }
  }
  /// The results of the modes that were tried last.
  package internal(set) var attempts: Attempts {
    get { fields[0].attempts }
    _modify { yield &fields[0].attempts }
  }
  /// True if the output was lit since its modes failed last.
  var hasBeenLit: Bool {
    get { fields[0].hasBeenLit }
    _modify { yield &fields[0].hasBeenLit }
  }

  static let stallReason = "no flip came in time; setting a mode again"

  /// The connector's name.
  package var name: String { connector.name }

  /// The state of the display.
  package var state: DisplayState {
    switch phase {
    case .dark(let darkness, let reason, _): .dark(darkness, reason: reason)
    case .asleep(_, let reason, _): .dark(.asleep, reason: reason)
    case .lighting(let attempt): attempt.state
    case .lit: frames.isPresented ? .lit : frames.isOverdue ? .stalled(reason: Self.stallReason) : .lighting
    }
  }

  /// The mode, CRTC and surface that the output holds; nil if it holds none.
  package var lit: Lit? {
    switch phase {
    case .dark(_, _, let lit): lit
    case .lighting(let attempt): attempt.before
    case .lit(let lit): lit
    case .asleep(let lit, _, _): lit
    }
  }

  /// The CRTC that the output holds.
  package var crtc: UInt32? { lit?.crtc }

  /// True if a plan is to light the output.
  var wantsLight: Bool {
    guard case .lighting = phase, let wish else { return false }
    return wish.sleepReason == nil
  }

  /// True unless the output is being lit or set again.
  var isSettled: Bool {
    switch state {
    case .lit, .dark, .lost: true
    case .lighting, .stalled: false
    }
  }

  /// Chooses modes by the policy of the wish.
  mutating func choose() throws(NoUsableMode) -> ModeChoice {
    let policy = wish?.policy ?? .legible
    let choice = try policy.choose(from: connector.modes, isEDIDPresent: connector.hasSoundEDID)
    self.choice = choice
    return choice
  }

  /// Changes the state of a mode that is set.
  mutating func change(_ body: (inout Lit) -> Void) {
    guard case .lit(var lit) = phase else { return }
    body(&lit)
    phase = .lit(lit)
  }
}
