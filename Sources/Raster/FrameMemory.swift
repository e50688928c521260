import Glibc

/// Memory for one frame, in huge pages where the kernel has them: a 4K frame is 8100 small pages, each a fault on first
/// touch and a miss of the translation cache in every redraw (Documentation/admin-guide/mm/transhuge.rst).
@safe
struct FrameMemory: ~Copyable {
  let bytes: UnsafeMutableRawBufferPointer

  private static let hugePage = 2 << 20

  init(byteCount: Int) {
    let isLarge = byteCount >= FrameMemory.hugePage
    unsafe bytes = .allocate(byteCount: max(64, byteCount), alignment: isLarge ? FrameMemory.hugePage : 4096)
    // The last, partial page stays small. A kernel without huge pages refuses, and nothing is lost.
    if isLarge { unsafe madvise(bytes.baseAddress, byteCount & ~(FrameMemory.hugePage - 1), MADV_HUGEPAGE) }
  }

  deinit { unsafe bytes.deallocate() }
}
