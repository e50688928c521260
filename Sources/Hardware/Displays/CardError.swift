/// A failed card operation: the operation, its object and the kernel's error.
package struct CardError: Error, Hashable, Sendable {
  /// The category of a failure, which selects the recovery.
  package enum Reason: Hashable, Sendable, CaseIterable {
    /// The driver rejected the mode, size, format or combination (EINVAL, ENOSPC, ERANGE, ENOMEM): try the next
    /// fallback mode.
    case refused
    /// The card is busy (EBUSY): retry at the next event.
    case busy
    /// The process is not DRM master (EACCES, EPERM): wait for master.
    case notMaster
    /// The device is gone (ENODEV, ENXIO, EIO): close the card.
    case gone
    /// Any other error; see `message`.
    case other
  }

  /// The category of the failure.
  package var reason: Reason
  /// The operation, such as `MODE_ATOMIC (modeset)`.
  package var operation: String
  /// The object, such as `Virtual-1 on /dev/dri/card0`.
  package var object: String
  /// The kernel's errno, or 0 if the error did not come from the kernel.
  package var errno: Int32
  /// The description of the error, from the C library or this package.
  package var message: String

  /// Creates an error.
  package init(reason: Reason, operation: String, object: String, errno: Int32 = 0, message: String) {
    self.reason = reason
    self.operation = operation
    self.object = object
    self.errno = errno
    self.message = message
  }
}

extension CardError: CustomStringConvertible {
  /// The full message, such as `Virtual-1 on /dev/dri/card0: MODE_ATOMIC (modeset): Invalid argument`.
  package var description: String { "\(object): \(operation): \(message)" }
}
