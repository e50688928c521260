public import Displays
public import Geometry

/// Something that goes wrong on purpose, a counted number of times.
public enum VirtualFault: Hashable, Sendable {
  /// Modesets to a mode of this size are refused, in the check and in the commit.
  case refuseSize(Size)
  /// Modesets to exactly this size and rate (thousandths of a hertz) are refused.
  case refuseMode(Size, refresh: Int)
  /// A call fails with this answer; after `gone` every other does so, too.
  case fail(VirtualCall, CardError.Reason)
  /// A flip (or modeset) is taken, and its event never comes.
  case swallowFlip
  /// A modeset's own flip has the time of the last one before it, as of drivers that commit planes before they switch
  /// vertical blanks on again.
  case oldModesetFlip
  /// A buffer has 16 bits a pixel, as where there is no memory for more.
  case shallowBuffer

  /// The check says yes and the commit fails.
  public static func failCommit(_ reason: CardError.Reason) -> VirtualFault { .fail(.light, reason) }
  /// Displays are not put to sleep: the commit fails.
  public static func failSleep(_ reason: CardError.Reason) -> VirtualFault { .fail(.sleep, reason) }
  /// The probe fails.
  public static func failProbe(_ reason: CardError.Reason) -> VirtualFault { .fail(.probe, reason) }
  /// Flips answer busy.
  public static var busyFlip: VirtualFault { .fail(.flip, .busy) }
  /// No buffer can be made.
  public static var failAllocation: VirtualFault { .fail(.allocate, .refused) }
}

/// What is asked of a card, each of which can fail.
public enum VirtualCall: String, Hashable, Sendable, CaseIterable {
  /// Looking at the connectors.
  case probe
  /// Making a buffer.
  case allocate
  /// Asking whether a modeset would be taken.
  case check
  /// The commit that lights outputs.
  case light
  /// The commit that switches CRTCs off.
  case darken
  /// The commit that puts outputs to sleep.
  case sleep
  /// Asking for another picture.
  case flip
}

/// A moment of a call for a flip.
public enum FlipMoment: Sendable {
  /// The card has not been asked.
  case beginning
  /// The card has answered, and may have told the flip; the caller does not know.
  case end
}
