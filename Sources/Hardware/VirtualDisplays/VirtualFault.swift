package import Displays
package import Geometry

/// An injected fault, which occurs a given number of times.
package enum VirtualFault: Hashable, Sendable {
  /// Modesets to a mode of this size are rejected, both in the test and in the commit.
  case refuseSize(Size)
  /// Modesets to exactly this size and rate (thousandths of a hertz) are rejected.
  case refuseMode(Size, refresh: Int)
  /// Modesets of one CRTC to a mode of this size are rejected.
  case refuseCRTC(UInt32, Size)
  /// Modesets after which more than this number of pixels would be lit in all are rejected, like a limit of memory
  /// bandwidth.
  case refuseTotal(pixels: Int)
  /// A call fails with this reason.
  ///
  /// After `gone`, all other calls fail with it as well.
  case fail(VirtualCall, CardError.Reason)
  /// A flip or modeset is accepted, but its event is never sent.
  case swallowFlip
  /// A modeset's own flip has the time of the previous flip, as with drivers that commit planes before they re-enable
  /// vertical blanks.
  case oldModesetFlip
  /// A buffer has 16 bits per pixel, as if there were no memory for 32.
  case shallowBuffer

  /// Returns a fault in which the test of a modeset succeeds and the commit fails.
  ///
  /// - Parameter reason: The reason of the error.
  /// - Returns: The fault.
  package static func failCommit(_ reason: CardError.Reason) -> VirtualFault { .fail(.light, reason) }
  /// Returns a fault in which the commit that puts outputs to sleep fails.
  ///
  /// - Parameter reason: The reason of the error.
  /// - Returns: The fault.
  package static func failSleep(_ reason: CardError.Reason) -> VirtualFault { .fail(.sleep, reason) }
  /// Returns a fault in which the probe fails.
  ///
  /// - Parameter reason: The reason of the error.
  /// - Returns: The fault.
  package static func failProbe(_ reason: CardError.Reason) -> VirtualFault { .fail(.probe, reason) }
  /// A fault in which flips fail with `.busy`.
  package static var busyFlip: VirtualFault { .fail(.flip, .busy) }
  /// A fault in which no buffer can be allocated.
  package static var failAllocation: VirtualFault { .fail(.allocate, .refused) }
}

/// A kind of call on a card, which can fail.
package enum VirtualCall: String, Hashable, Sendable, CaseIterable {
  /// A probe of the connectors.
  case probe
  /// An allocation of a buffer.
  case allocate
  /// A test of a modeset.
  case check
  /// A commit that enables outputs.
  case light
  /// A commit that disables CRTCs.
  case darken
  /// A commit that puts outputs to sleep.
  case sleep
  /// A flip.
  case flip
}

/// A moment in a flip call.
package enum FlipMoment: Sendable {
  /// The card has not handled the call yet.
  case beginning
  /// The card has handled the call and may have sent the flip event, but the call has not returned.
  case end
}
