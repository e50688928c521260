import CDRM
import CLinux
import Glibc
import Displays
import Geometry

/// A dumb buffer under construction.
///
/// If a step fails, the earlier ones are undone.
///
/// Every KMS driver with a display can create, map and scan out dumb buffers.
private struct DumbAllocation: ~Copyable {
  let file: CardFile
  var handle: UInt32 = 0
  var pitch: UInt32 = 0
  var length: UInt64 = 0
  var framebuffer: UInt32 = 0
  private var isKept = false

  init(_ file: CardFile) { self.file = file }

  mutating func create(_ size: Size, _ format: PixelFormat) throws(CardError) {
    let bits = UInt32(format.bytesPerPixel * 8)
    let code = unsafe drmModeCreateDumbBuffer(
      file.descriptor, UInt32(size.width), UInt32(size.height), bits, 0, &handle, &pitch, &length)
    guard code == 0 else { throw CardError(kernel: -code, "MODE_CREATE_DUMB \(size)", on: file.path) }
  }

  mutating func addFramebuffer(_ size: Size, _ format: PixelFormat) throws(CardError) {
    let fourCC = format == .xrgb8888 ? PLACARD_FORMAT_XRGB8888 : PLACARD_FORMAT_RGB565
    let handles: [UInt32] = [handle, 0, 0, 0]
    let pitches: [UInt32] = [pitch, 0, 0, 0]
    let offsets: [UInt32] = [0, 0, 0, 0]
    let code = unsafe drmModeAddFB2(
      file.descriptor, UInt32(size.width), UInt32(size.height), fourCC, handles, pitches, offsets, &framebuffer, 0)
    guard code == 0 else { throw CardError(kernel: -code, "MODE_ADDFB2 \(size)", on: file.path) }
  }

  func map() throws(CardError) -> UnsafeMutableRawBufferPointer {
    var offset: UInt64 = 0
    let code = unsafe drmModeMapDumbBuffer(file.descriptor, handle, &offset)
    guard code == 0 else { throw CardError(kernel: -code, "MODE_MAP_DUMB", on: file.path) }
    let address = unsafe mmap(
      nil, Int(length), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, off_t(offset))
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw CardError(kernel: errno, "mmap of \(length) bytes", on: file.path)
    }
    return unsafe UnsafeMutableRawBufferPointer(start: address, count: Int(length))
  }

  /// Transfers ownership of the buffer: from now on, the release of the `FrameBuffer` frees it.
  mutating func keep() -> DumbParts {
    isKept = true
    return parts
  }

  private var parts: DumbParts {
    DumbParts(file: file, handle: handle, framebuffer: framebuffer, pitch: Int(pitch))
  }

  deinit { if !isKept { parts.free() } }
}

/// The kernel objects of a dumb buffer.
private struct DumbParts: Sendable {
  let file: CardFile
  let handle: UInt32
  let framebuffer: UInt32
  let pitch: Int

  /// Frees both objects.
  ///
  /// Errors are ignored: if the card is gone, so are its objects.
  func free() {
    if framebuffer != 0 { _ = drmModeRmFB(file.descriptor, framebuffer) }
    if handle != 0 { _ = drmModeDestroyDumbBuffer(file.descriptor, handle) }
  }
}

extension CardFile {
  /// Allocates a mapped dumb buffer with a framebuffer, initially black.
  func allocateDumbBuffer(_ size: Size, _ format: PixelFormat) throws(CardError) -> FrameBuffer {
    try FrameLimits.check(size, on: path)
    var allocation = DumbAllocation(self)
    try allocation.create(size, format)
    try allocation.addFramebuffer(size, format)
    let memory = unsafe try allocation.map()
    let parts = allocation.keep()
    // Carry the address as a number, because a pointer is not Sendable. The closure is its only other holder.
    let address = UInt(bitPattern: memory.baseAddress)
    let length = memory.count
    return unsafe FrameBuffer(
      id: BufferID(parts.framebuffer), size: size, format: format, stride: parts.pitch, unsafeMemory: memory
    ) {
      if let mapping = unsafe UnsafeMutableRawPointer(bitPattern: address) { _ = unsafe munmap(mapping, length) }
      parts.free()
    }
  }
}
