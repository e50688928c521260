import Glibc

/// The memory of one frame, in huge pages if the kernel supports them.
///
/// A 4K frame takes 8100 small pages. Each one costs a fault on first touch and a TLB miss in every redraw
/// (Documentation/admin-guide/mm/transhuge.rst).
@safe
struct FrameMemory: ~Copyable {
  let bytes: UnsafeMutableRawBufferPointer

  private static let hugePage = 2 << 20

  init(byteCount: Int) {
    let isLarge = byteCount >= FrameMemory.hugePage
    unsafe bytes = .allocate(byteCount: max(64, byteCount), alignment: isLarge ? FrameMemory.hugePage : 4096)
    // The last, partial page stays small. Ignore the error of a kernel without transparent huge pages.
    if isLarge { unsafe madvise(bytes.baseAddress, byteCount & ~(FrameMemory.hugePage - 1), MADV_HUGEPAGE) }
  }

  deinit { unsafe bytes.deallocate() }
}
