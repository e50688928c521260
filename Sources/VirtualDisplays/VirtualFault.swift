public import Displays
public import Geometry

/// Something that goes wrong on purpose, a counted number of times.
public enum VirtualFault: Hashable, Sendable {
  /// Modesets to a mode of this size are refused, in the check and in the commit.
  case refuseSize(Size)
  /// Modesets to exactly this size and rate (thousandths of a hertz) are refused.
  case refuseMode(Size, refresh: Int)
  /// The check says yes and the commit fails.
  case failCommit(CardError.Reason)
  /// Displays are not put to sleep: the commit fails.
  case failSleep(CardError.Reason)
  /// Flips answer busy.
  case busyFlip
  /// A flip (or modeset) is taken, and its event never comes.
  case swallowFlip
  /// No buffer can be made.
  case failAllocation
  /// A buffer has 16 bits a pixel, as where there is no memory for more.
  case shallowBuffer
  /// The probe fails.
  case failProbe(CardError.Reason)
}
