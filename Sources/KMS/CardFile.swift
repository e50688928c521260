import CDRM
import CLinux
import Glibc
import Displays

/// An open DRM device node; closed when the last holder lets go. Buffers hold it, so that none outlives its card.
///
/// The kernel locks for itself, so that one descriptor serves the card's thread and the painters' threads at once.
final class CardFile: Sendable {
  let path: String
  let descriptor: Int32

  /// Opens the node without blocking reads, and makes this process DRM master of it.
  ///
  /// The first one to open a node without a master becomes master (`drm_master_open`), privileged or not; SET_MASTER
  /// then answers 0. If somebody else is master, it answers EBUSY, or EACCES to the unprivileged.
  init(opening path: String) throws(CardError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw CardError(kernel: errno, "open", on: path) }
    try takeMaster()
  }

  /// Makes this process master again where it is not.
  func beMaster() throws(CardError) {
    if drmIsMaster(descriptor) == 0 { try takeMaster() }
  }

  private func takeMaster() throws(CardError) {
    guard drmSetMaster(descriptor) != 0 else { return }
    let code = errno
    let reason: CardError.Reason = code == ENODEV ? .gone : .notMaster
    throw CardError(reason: reason, operation: "SET_MASTER", object: path, errno: code, message: describe(errno: code))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Turns a client capability on; false where the kernel or the driver does not have it.
  func enable(_ capability: Int32) -> Bool { drmSetClientCap(descriptor, UInt64(capability), 1) == 0 }

  /// The value of a driver capability; nil where the driver does not have it.
  func capability(_ capability: Int32) -> UInt64? {
    var value: UInt64 = 0
    return unsafe drmGetCap(descriptor, UInt64(capability), &value) == 0 ? value : nil
  }

  /// Whether the driver still answers.
  var answers: Bool { (try? CardResources(self)) != nil }

  /// The driver's name; `unknown` where it will not say.
  var driver: String {
    guard let version = unsafe drmGetVersion(descriptor) else { return "unknown" }
    defer { unsafe drmFreeVersion(version) }
    guard let name = unsafe version.pointee.name else { return "unknown" }
    return unsafe String(cString: name)
  }
}

/// The C library's words for an errno.
func describe(errno code: Int32) -> String {
  guard let words = unsafe strerror(code) else { return "errno \(code)" }
  return unsafe String(cString: words)
}

extension CardError {
  /// What the kernel's errno means for a display (field-notes: EBUSY waits, EINVAL steps down, ENODEV closes).
  init(kernel code: Int32, _ operation: String, on object: String) {
    let reason: Reason =
      switch code {
      case EBUSY: .busy
      case EINVAL, ENOSPC, ERANGE, ENOMEM, EDOM, E2BIG: .refused
      case EACCES, EPERM: .notMaster
      case ENODEV, ENXIO, EIO, EBADF: .gone
      // To open, it says that there is no node; else that a connector or a buffer is no more, as where a MultiStream hub
      // went after the probe (drm_mode_atomic_ioctl, drm_mode_setcrtc): the card itself is there.
      case ENOENT: operation == "open" ? .gone : .other
      default: .other
      }
    self.init(reason: reason, operation: operation, object: object, errno: code, message: describe(errno: code))
  }

  /// What the kernel's errno means where a mode was checked or set. Drivers refuse one with many of them (msm: ENAVAIL and
  /// EIO, gud: EREMOTEIO, EPROTO): a smaller mode may be taken, as long as the card answers at all.
  init(kernel code: Int32, modeset operation: String, on object: String, isCardThere: () -> Bool) {
    self.init(kernel: code, operation, on: object)
    let isVague = reason == .other && code != ENOENT || code == EIO && isCardThere()
    if isVague { reason = .refused }
  }
}

/// Calls again while a signal got in the way; answers 0 or the errno. libdrm gives -1 with errno, or -errno.
func retryingInterrupts(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return 0 }
    let code = result == -1 ? errno : -result
    if code != EINTR && code != EAGAIN { return code }
  }
}
