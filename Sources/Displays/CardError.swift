/// Why a card did not do what it was asked: what was tried, on which object, and the kernel's answer.
public struct CardError: Error, Hashable, Sendable {
  /// What sort of failure it is, which decides what is done next.
  public enum Reason: Hashable, Sendable, CaseIterable {
    /// The mode, size, format or combination is not possible (EINVAL, ENOSPC, ERANGE): go down the ladder.
    case refused
    /// Not now (EBUSY): try again at the next event.
    case busy
    /// Not DRM master (EACCES, EPERM): wait for master.
    case notMaster
    /// The device is gone (ENODEV, ENXIO, EIO): close the card.
    case gone
    /// Anything else; the text says what.
    case other
  }

  /// What sort of failure it is.
  public var reason: Reason
  /// The operation, `MODE_ATOMIC (modeset)`.
  public var operation: String
  /// The object, `Virtual-1 on /dev/dri/card0`.
  public var object: String
  /// The kernel's errno, or 0 where none was given.
  public var errno: Int32
  /// The kernel's or our own words.
  public var message: String

  /// An error from its parts.
  public init(reason: Reason, operation: String, object: String, errno: Int32 = 0, message: String) {
    self.reason = reason
    self.operation = operation
    self.object = object
    self.errno = errno
    self.message = message
  }
}

extension CardError: CustomStringConvertible {
  /// `Virtual-1 on /dev/dri/card0: MODE_ATOMIC (modeset): Invalid argument`.
  public var description: String { "\(object): \(operation): \(message)" }
}
