import CDRM
import Displays
import Glibc

/// A list of property changes that the kernel applies completely or not at all (drmModeAtomicAlloc).
///
/// One synchronous function fills and commits it, so that nothing can happen in between.
@safe
struct AtomicRequest: ~Copyable {
  private let raw: drmModeAtomicReqPtr
  private let file: CardFile
  private var blobs: [UInt32] = []

  init(_ file: CardFile) throws(CardError) {
    guard let request = unsafe drmModeAtomicAlloc() else {
      throw CardError(kernel: ENOMEM, "drmModeAtomicAlloc", on: file.path)
    }
    unsafe raw = request
    self.file = file
  }

  /// The blobs can be destroyed after the commit, because the kernel's state holds its own references.
  ///
  /// Errors are ignored.
  deinit {
    for blob in blobs { _ = drmModeDestroyPropertyBlob(file.descriptor, blob) }
    unsafe drmModeAtomicFree(raw)
  }

  /// Sets a property by name.
  ///
  /// Returns false if the object does not have it.
  @discardableResult
  mutating func set(_ object: UInt32, _ properties: ObjectProperties, _ name: String, _ value: UInt64) -> Bool {
    guard let id = properties.ids[name] else { return false }
    set(object, property: id, value)
    return true
  }

  /// Sets a property by its ID.
  mutating func set(_ object: UInt32, property: UInt32, _ value: UInt64) {
    _ = unsafe drmModeAtomicAddProperty(raw, object, property, value)
  }

  /// Creates a blob of these values that lives as long as the request.
  mutating func blob<T>(of values: [T], _ what: String) throws(CardError) -> UInt64 {
    var id: UInt32 = 0
    let code = unsafe values.withUnsafeBytes {
      unsafe drmModeCreatePropertyBlob(file.descriptor, $0.baseAddress, $0.count, &id)
    }
    guard code == 0 else { throw CardError(kernel: -code, "MODE_CREATEPROPBLOB (\(what))", on: file.path) }
    blobs.append(id)
    return UInt64(id)
  }

  /// Submits the request to the kernel.
  ///
  /// `object` names the affected objects in errors.
  func commit(_ flags: UInt32, cookie: FlipCookie? = nil, _ operation: String, on object: String) throws(CardError) {
    let code = retryingInterrupts {
      unsafe drmModeAtomicCommit(file.descriptor, raw, flags, cookie?.pointer)
    }
    guard code != 0 else { return }
    let (operation, object) = ("MODE_ATOMIC (\(operation))", "\(object) on \(file.path)")
    guard flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) != 0 else {
      throw CardError(kernel: code, operation, on: object)
    }
    throw CardError(kernel: code, modeset: operation, on: object) { file.answers }
  }
}
