public import Geometry

/// A card that lights displays: the seam between what is decided and the hardware.
///
/// The real one (KMS), the one in memory (VirtualDisplays) and a recording stand in for each other. Calls that can
/// block for long (probe, modeset) are asynchronous and run on the card's own thread; `present` is called by painters, from
/// any thread: it waits for no picture, only for the kernel's locks, which another CRTC's modeset holds on some drivers.
public protocol DisplayCard: AnyObject, Sendable {
  /// The device node, `/dev/dri/card1`, or the memory card's name.
  var path: String { get }

  /// What the card tells on its own; one consumer. It ends when the card is gone.
  var events: AsyncStream<CardEvent> { get }

  /// Who hears of flips instead of `events`.
  var followers: FlipFollowers { get }

  /// Asks every connector what is plugged into it. As DRM master this is a real probe (DDC), and it can take seconds.
  func probe() async throws(CardError) -> CardSnapshot

  /// A buffer that this card can scan out. The caller owns it: letting go of it frees it.
  func allocate(_ size: Size) async throws(CardError) -> FrameBuffer

  /// Whether the plan would be taken, without changing anything (TEST_ONLY); says yes where the driver cannot test.
  func check(_ plan: ModesetPlan) async throws(CardError)

  /// Carries out the plan: first what goes dark, then what goes to sleep, then what is lit, each as one commit. Each lit
  /// output answers with a `flipped` event, the others with none.
  func apply(_ plan: ModesetPlan) async throws(CardError)

  /// Asks for the buffer at the next vertical blank. Waits for no picture; `flipped` follows, or the error says why not:
  /// an output that is dark or asleep is `.refused`.
  func present(_ flip: FlipRequest) throws(CardError)

  /// Gives the card back: outputs off, console restored. Never fails; what went wrong is logged.
  func close() async
}

/// What a card tells on its own.
public enum CardEvent: Hashable, Sendable {
  /// A buffer went to the glass of this CRTC: sequence as the driver counts, time in nanoseconds of CLOCK_MONOTONIC.
  case flipped(crtc: UInt32, sequence: UInt32, time: UInt64)
  /// Something may have changed: probe.
  case changed
  /// DRM master is gone (another program took over) or may be had again.
  case masterChanged
  /// The device is gone; the card is of no more use.
  case lost
}

extension CardEvent {
  /// The event of a flip.
  public init(_ flip: Flip) { self = .flipped(crtc: flip.crtc, sequence: flip.sequence, time: flip.time) }
}

/// A modeset for some outputs of one card; outputs that are not named stay as they are.
public struct ModesetPlan: Hashable, Sendable {
  /// Outputs that get a mode and a first buffer. One that is asleep is woken by that.
  public var lit: [LitOutput]
  /// CRTCs that are switched off; whether they were lit or asleep is no matter.
  public var dark: [UInt32]
  /// Outputs whose monitor is put to sleep. One that is dark or asleep already stays so.
  public var asleep: [SleepingOutput]

  /// A plan from its parts.
  public init(lit: [LitOutput] = [], dark: [UInt32] = [], asleep: [SleepingOutput] = []) {
    self.lit = lit
    self.dark = dark
    self.asleep = asleep
  }
}

/// One output of a plan: which connector is driven by which CRTC, how, and what it shows first.
public struct LitOutput: Hashable, Sendable {
  /// The connector's object id.
  public var connector: UInt32
  /// The connector's name, for messages.
  public var name: String
  /// The CRTC's object id.
  public var crtc: UInt32
  /// The mode to set.
  public var mode: Mode
  /// The buffer that holds the first picture, of the mode's size.
  public var buffer: BufferID

  /// An output from its parts.
  public init(connector: UInt32, name: String, crtc: UInt32, mode: Mode, buffer: BufferID) {
    self.connector = connector
    self.name = name
    self.crtc = crtc
    self.mode = mode
    self.buffer = buffer
  }
}

/// An output of a plan that is put to sleep: its monitor gets no signal, while the CRTC keeps connector, mode and buffer.
///
/// The buffer must live on until the output is lit with another one or dark: the kernel's state still holds it.
public struct SleepingOutput: Hashable, Sendable {
  /// The connector's object id.
  public var connector: UInt32
  /// The connector's name, for messages.
  public var name: String
  /// The object id of the CRTC that drives it.
  public var crtc: UInt32

  /// An output from its parts.
  public init(connector: UInt32, name: String, crtc: UInt32) {
    self.connector = connector
    self.name = name
    self.crtc = crtc
  }
}

/// A wish to show a buffer on a lit CRTC.
public struct FlipRequest: Hashable, Sendable {
  /// The CRTC's object id.
  public var crtc: UInt32
  /// The connector's name, for messages.
  public var name: String
  /// The buffer to show.
  public var buffer: BufferID
  /// What differs from the buffer shown before (FB_DAMAGE_CLIPS); empty means all of it.
  public var damage: [Rect]

  /// A request from its parts.
  public init(crtc: UInt32, name: String, buffer: BufferID, damage: [Rect] = []) {
    self.crtc = crtc
    self.name = name
    self.buffer = buffer
    self.damage = damage
  }
}
