import CDRM
import CLinux
import Glibc
import Displays
import SystemCalls

/// An open DRM device node, closed with its last reference.
///
/// Buffers hold a reference, so that none outlives its card. The kernel does its own locking, so the card's
/// thread and the render threads share one descriptor.
final class CardFile: Sendable {
  let path: String
  let descriptor: Int32

  /// Opens the node with O_NONBLOCK, so that reads do not block, and makes this process DRM master.
  ///
  /// The first process that opens a node without a master becomes master (`drm_master_open`), with or without
  /// privileges. SET_MASTER then returns 0. If another process is master, it fails with EBUSY, or with EACCES for
  /// unprivileged processes.
  init(opening path: String) throws(CardError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw CardError(kernel: errno, "open", on: path) }
    try acquireMaster()
  }

  /// Acquires DRM master if this process has lost it.
  func ensureMaster() throws(CardError) {
    if drmIsMaster(descriptor) == 0 { try acquireMaster() }
  }

  private func acquireMaster() throws(CardError) {
    guard drmSetMaster(descriptor) != 0 else { return }
    let code = errno
    let reason: CardError.Reason = code == ENODEV ? .gone : .notMaster
    throw CardError(
      reason: reason, operation: "SET_MASTER", object: path, errno: code, message: ErrorNumber(code).description)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Enables a client capability.
  ///
  /// Returns false if the kernel or the driver does not support it.
  func enable(_ capability: Int32) -> Bool { drmSetClientCap(descriptor, UInt64(capability), 1) == 0 }

  /// Returns the value of a driver capability, or nil if the driver does not support it.
  func capability(_ capability: Int32) -> UInt64? {
    var value: UInt64 = 0
    return unsafe drmGetCap(descriptor, UInt64(capability), &value) == 0 ? value : nil
  }

  /// True if the driver still responds.
  var answers: Bool { (try? CardResources(self)) != nil }

  /// The driver's name; `unknown` if the driver does not report one.
  var driver: String {
    guard let version = unsafe drmGetVersion(descriptor) else { return "unknown" }
    defer { unsafe drmFreeVersion(version) }
    guard let name = unsafe version.pointee.name else { return "unknown" }
    return unsafe String(cString: name)
  }
}

extension CardError {
  /// Creates an error from the kernel's errno.
  ///
  /// The reason selects the recovery: wait on EBUSY, try the next fallback mode on EINVAL, and close the card on
  /// ENODEV.
  init(kernel code: Int32, _ operation: String, on object: String) {
    let reason: Reason =
      switch code {
      case EBUSY: .busy
      case EINVAL, ENOSPC, ERANGE, ENOMEM, EDOM, E2BIG: .refused
      case EACCES, EPERM: .notMaster
      case ENODEV, ENXIO, EIO, EBADF: .gone
      // On open, ENOENT means that the node is missing. On other calls it means that a connector or a buffer is gone,
      // for example after an MST hub was unplugged since the probe (drm_mode_atomic_ioctl, drm_mode_setcrtc), while the
      // card itself is still there.
      case ENOENT: operation == "open" ? .gone : .other
      default: .other
      }
    self.init(reason: reason, operation: operation, object: object, errno: code, message: ErrorNumber(code).description)
  }

  /// Creates an error from the kernel's errno after a mode was tested or set.
  ///
  /// Drivers reject modes with many different errors (msm: ENAVAIL and EIO, gud: EREMOTEIO, EPROTO). As long as the
  /// card still responds, a smaller mode may work, so these count as `.refused`.
  init(kernel code: Int32, modeset operation: String, on object: String, isCardThere: () -> Bool) {
    self.init(kernel: code, operation, on: object)
    let isVague = reason == .other && code != ENOENT || code == EIO && isCardThere()
    if isVague { reason = .refused }
  }
}

/// Repeats a call after EINTR or EAGAIN.
///
/// Returns 0 or the errno; libdrm functions return -1 and set errno, or return -errno.
func retryingInterrupts(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return 0 }
    let code = result == -1 ? errno : -result
    if code != EINTR && code != EAGAIN { return code }
  }
}
