package import Geometry

/// A card that drives displays: the interface between the display logic and the hardware.
///
/// Implementations are the KMS card, the in-memory card (VirtualDisplays) and a recording. Long calls (probe, modeset)
/// are asynchronous and run on the card's own thread. Render threads call `present` from any thread. It does not wait
/// for a vertical blank, only for kernel locks, which a modeset of another CRTC holds on some drivers.
package protocol DisplayCard: AnyObject, Sendable {
  /// The device node, such as `/dev/dri/card1`, or the name of the in-memory card.
  var path: String { get }

  /// The card's unsolicited events, for a single consumer.
  ///
  /// The stream ends when the card is gone.
  var events: AsyncStream<CardEvent> { get }

  /// True if a plan with several outputs is one commit, which succeeds or fails as a whole.
  ///
  /// Otherwise `check` always succeeds, and `apply` enables one output after the other.
  var commitsTogether: Bool { get }

  /// The followers that receive flips instead of `events`.
  var followers: FlipFollowers { get }

  /// Probes connectors.
  ///
  /// As DRM master this is a full probe (DDC), which can take seconds for each connector.
  ///
  /// - Parameter connectors: The object IDs of the connectors to probe; nil for all. The status, modes and EDID of
  ///   others are those of their last probe. A connector that was never probed always is.
  /// - Throws: `CardError` if the card cannot be probed.
  /// - Returns: The state of the card, with all connectors.
  func probe(_ connectors: Set<UInt32>?) async throws(CardError) -> CardSnapshot

  /// Allocates a buffer that this card can scan out.
  ///
  /// - Parameter size: The size in pixels.
  /// - Throws: `CardError` if no buffer can be allocated.
  /// - Returns: A buffer that the caller owns. Releasing it frees the memory.
  func allocate(_ size: Size) async throws(CardError) -> FrameBuffer

  /// Tests a plan without changing anything (`DRM_MODE_ATOMIC_TEST_ONLY`).
  ///
  /// Succeeds if the driver has no test mode.
  ///
  /// - Parameter plan: The plan to test.
  /// - Throws: `CardError` if the card would reject the plan.
  func check(_ plan: ModesetPlan) async throws(CardError)

  /// Applies a plan: first disables CRTCs, then puts outputs to sleep, then enables outputs.
  ///
  /// On an atomic driver, each step is one commit. Each enabled output sends a `flipped` event; the others send none. A
  /// CRTC that its connector leaves for another one is disabled.
  ///
  /// - Parameter plan: The plan to apply.
  /// - Throws: `CardError` if a step fails. Earlier steps remain in effect.
  func apply(_ plan: ModesetPlan) async throws(CardError)

  /// Queues a buffer for the next vertical blank and returns without waiting for it.
  ///
  /// A `flipped` event follows.
  ///
  /// - Parameter flip: The CRTC and the buffer.
  /// - Throws: `CardError` if the flip was not queued; `.refused` if the output is disabled or asleep.
  func present(_ flip: FlipRequest) throws(CardError)

  /// Closes the card, which lets the kernel restore its console.
  ///
  /// Errors are ignored.
  func close() async
}

/// An unsolicited event of a card.
package enum CardEvent: Hashable, Sendable {
  /// A buffer was presented on a CRTC.
  case flipped(Flip)
  /// Connectors may have changed: probe the one with this object ID; nil if the kernel named none, to probe all.
  case changed(connector: UInt32?)
  /// DRM master was lost to another program, or may be available again.
  case masterChanged
  /// The device is gone, and the card is unusable.
  case lost
}

/// A modeset for some outputs of one card.
///
/// Outputs that are not listed stay unchanged.
package struct ModesetPlan: Hashable, Sendable {
  /// The outputs to enable with a mode and a first buffer.
  ///
  /// This wakes an output that is asleep.
  package var lit: [EnabledOutput]
  /// The CRTCs to disable, enabled or asleep.
  package var dark: [UInt32]
  /// The outputs to put to sleep.
  ///
  /// One that is disabled or asleep stays so.
  package var asleep: [SleepingOutput]
  /// The number that the flips of the enabled outputs carry, which distinguishes them from the flips of earlier frames
  /// and modesets.
  ///
  /// 0 if no output is enabled.
  package var number: UInt32

  /// Creates a plan.
  package init(
    lit: [EnabledOutput] = [], dark: [UInt32] = [], asleep: [SleepingOutput] = [], number: UInt32 = 0
  ) {
    self.lit = lit
    self.dark = dark
    self.asleep = asleep
    self.number = number
  }
}

/// An output to enable: connector, CRTC, mode and first buffer.
package struct EnabledOutput: Hashable, Sendable {
  /// The connector's object ID.
  package var connector: UInt32
  /// The connector's name, for messages.
  package var name: String
  /// The CRTC's object ID.
  package var crtc: UInt32
  /// The mode to set.
  package var mode: Mode
  /// The buffer with the first frame, of the mode's size.
  package var buffer: BufferID

  /// Creates an output.
  package init(connector: UInt32, name: String, crtc: UInt32, mode: Mode, buffer: BufferID) {
    self.connector = connector
    self.name = name
    self.crtc = crtc
    self.mode = mode
    self.buffer = buffer
  }
}

/// An output to put to sleep: the signal stops, while the CRTC keeps its connector, mode and buffer.
///
/// The buffer must stay allocated until the output is disabled or enabled with another one, because the kernel's state
/// still refers to it.
package struct SleepingOutput: Hashable, Sendable {
  /// The connector's object ID.
  package var connector: UInt32
  /// The connector's name, for messages.
  package var name: String
  /// The object ID of the CRTC that drives it.
  package var crtc: UInt32

  /// Creates an output.
  package init(connector: UInt32, name: String, crtc: UInt32) {
    self.connector = connector
    self.name = name
    self.crtc = crtc
  }
}

/// A request to present a buffer on an enabled CRTC.
package struct FlipRequest: Hashable, Sendable {
  /// The CRTC's object ID.
  package var crtc: UInt32
  /// The connector's name, for messages.
  package var name: String
  /// The buffer to present.
  package var buffer: BufferID
  /// The difference from the previously presented buffer (`FB_DAMAGE_CLIPS`), in pixels.
  ///
  /// Empty means the whole buffer.
  package var damage: [Rect]

  /// Creates a request.
  package init(crtc: UInt32, name: String, buffer: BufferID, damage: [Rect] = []) {
    self.crtc = crtc
    self.name = name
    self.buffer = buffer
    self.damage = damage
  }
}
