import Glibc
import SystemCalls
import Testing

struct SystemCallsTests {
  @Test func `An error has the text of the C library`() {
    #expect("\(ErrorNumber(ENOENT))" == "No such file or directory")
    #expect(ErrorNumber(EPIPE).description == "Broken pipe")
    #expect(ErrorNumber(12345).description == "Unknown error 12345")
  }

  @Test func `The clocks have the documented units`() {
    var (monotonic, boot, wall) = (timespec(), timespec(), timespec())
    unsafe clock_gettime(CLOCK_MONOTONIC, &monotonic)
    unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
    unsafe clock_gettime(CLOCK_REALTIME, &wall)
    // The calls come later, by at most a minute even on a busy machine.
    let nanoseconds = UInt64(monotonic.tv_sec) * 1_000_000_000 + UInt64(monotonic.tv_nsec)
    #expect((nanoseconds...nanoseconds + 60_000_000_000).contains(SystemClock.monotonicNanoseconds()))
    let sinceBoot = Int64(boot.tv_sec) * 1000
    #expect((sinceBoot...sinceBoot + 60_000).contains(SystemClock.bootMilliseconds()))
    let since1970 = Int64(wall.tv_sec) * 1000
    #expect((since1970...since1970 + 60_000).contains(SystemClock.wallMilliseconds()))
  }

  @Test func `All bytes are written, and read up to a limit`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try temporaryFile()
    defer { close(file) }
    try Transfer.write(bytes, to: file)
    lseek(file, 0, SEEK_SET)
    #expect(try Transfer.read(file, atMost: bytes.count) == bytes)
    lseek(file, 0, SEEK_SET)
    #expect(try Transfer.read(file, atMost: bytes.count - 1) == nil)
    #expect(try Transfer.read(file, atMost: .max) != nil)
  }

  @Test func `The first error ends a transfer`() {
    #expect(throws: ErrorNumber(EBADF)) { try Transfer.write([1], to: -1) }
    #expect(throws: ErrorNumber(EBADF)) { try Transfer.read(-1, atMost: 1) }
    #expect(throws: Never.self) { try Transfer.write([], to: -1) }
  }

  /// Opens a file that has no name and ends with its descriptor.
  private func temporaryFile() throws -> Int32 {
    var path = Array("/tmp/placard-transfer-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&path)
    try #require(file >= 0)
    unsafe unlink(path)
    return file
  }
}
