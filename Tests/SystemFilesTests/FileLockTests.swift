import Glibc
import Testing

@testable import SystemFiles

/// A lock keeps other processes out, and says who holds it.
struct FileLockTests {
  private let path = "/tmp/lock-\(getpid())-\(UInt32.random(in: 0 ... .max))"

  private func failure() -> FileLock.Failure? {
    do throws(FileLock.Failure) { try FileLock(path: path).release() } catch { return error }
    return nil
  }

  @Test func `A held lock names its holder, and is free after its release, which removes the file`() throws {
    let lock = try FileLock(path: path)
    #expect(failure() == .held(by: getpid()))
    #expect(lock.isInPlace)
    lock.release()
    lock.release()
    #expect(failure() == nil)
    #expect(FileIdentity(path: path) == nil)
  }

  @Test func `A lock whose file was removed knows it, and leaves the next one's file alone`() throws {
    let lock = try FileLock(path: path)
    unsafe _ = unlink(path)
    #expect(!lock.isInPlace)
    let next = try FileLock(path: path)
    lock.release()
    #expect(next.isInPlace && failure() == .held(by: getpid()))
    next.release()
  }

  @Test func `A folder that is not there is the kernel's to name`() {
    let error = FileLock.Failure.system(operation: "open", errno: ENOENT)
    #expect(throws: error) { try FileLock(path: path + "/none/lock") }
  }

  @Test func `A symbolic link in its place is not followed`() throws {
    unsafe _ = symlink("/tmp/nowhere", path)
    defer { unsafe unlink(path) }
    #expect(failure() == .system(operation: "open", errno: ELOOP))
  }

  @Test func `A holder is the one process of /proc/locks that has the file by flock`() throws {
    let file = try #require(FileIdentity(path: "/"))
    let line = { (kind: String, pid: Int, inode: UInt) in "1: \(kind) ADVISORY  WRITE \(pid) 08:01:\(inode) 0 EOF\n" }
    #expect(FileLock.holder(of: file, in: "") == nil)
    #expect(FileLock.holder(of: file, in: line("POSIX", 7, file.inode)) == nil)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 8, file.inode + 1) + line("FLOCK", 7, file.inode)) == 7)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 8, file.inode) + line("FLOCK", 7, file.inode)) == nil)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 0, file.inode)) == nil)
  }
}
