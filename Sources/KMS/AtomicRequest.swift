import CDRM
import Displays
import Glibc

/// drmModeAtomicAlloc: a list of property changes that the kernel takes whole or not at all.
///
/// It is filled and committed by one synchronous function, so that nothing can come between.
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

  /// Blobs can go as soon as the commit is done: the kernel's state holds its own reference. Errors are of no matter.
  deinit {
    for blob in blobs { _ = drmModeDestroyPropertyBlob(file.descriptor, blob) }
    unsafe drmModeAtomicFree(raw)
  }

  /// Sets a property if the object has it; says whether it has.
  @discardableResult
  mutating func set(_ object: UInt32, _ properties: ObjectProperties, _ name: String, _ value: UInt64) -> Bool {
    guard let id = properties.ids[name] else { return false }
    set(object, property: id, value)
    return true
  }

  /// Sets a property by its id.
  mutating func set(_ object: UInt32, property: UInt32, _ value: UInt64) {
    _ = unsafe drmModeAtomicAddProperty(raw, object, property, value)
  }

  /// Makes a blob of these values that lives as long as the request.
  mutating func blob<T>(of values: [T], _ what: String) throws(CardError) -> UInt64 {
    var id: UInt32 = 0
    let code = unsafe values.withUnsafeBytes {
      unsafe drmModeCreatePropertyBlob(file.descriptor, $0.baseAddress, $0.count, &id)
    }
    guard code == 0 else { throw CardError(kernel: -code, "MODE_CREATEPROPBLOB (\(what))", on: file.path) }
    blobs.append(id)
    return UInt64(id)
  }

  /// Hands the request to the kernel. `object` names what it is about, for the error.
  func commit(_ flags: UInt32, cookie: UInt32 = 0, _ operation: String, on object: String) throws(CardError) {
    let code = retryingInterrupts {
      unsafe drmModeAtomicCommit(file.descriptor, raw, flags, UnsafeMutableRawPointer(bitPattern: UInt(cookie)))
    }
    guard code != 0 else { return }
    let (operation, object) = ("MODE_ATOMIC (\(operation))", "\(object) on \(file.path)")
    guard flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) != 0 else {
      throw CardError(kernel: code, operation, on: object)
    }
    throw CardError(kernel: code, modeset: operation, on: object) { file.answers }
  }
}
