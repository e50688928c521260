import Glibc
import Testing

@testable import SystemFiles

/// A lock excludes other processes and reports its holder.
struct FileLockTests {
  private let path = "/tmp/lock-\(getpid())-\(UInt32.random(in: 0 ... .max))"

  private func failure() -> FileLock.Failure? {
    do throws(FileLock.Failure) { try FileLock(path: path).release() } catch { return error }
    return nil
  }

  @Test func `A held lock reports its holder, and its release removes the file`() throws {
    let lock = try FileLock(path: path)
    #expect(failure() == .held(by: getpid()))
    #expect(lock.isInPlace)
    lock.release()
    lock.release()
    #expect(failure() == nil)
    #expect(FileIdentity(path: path) == nil)
  }

  @Test func `A lock detects that its file was removed, and does not remove the next holder's file`() throws {
    let lock = try FileLock(path: path)
    unsafe _ = unlink(path)
    #expect(!lock.isInPlace)
    let next = try FileLock(path: path)
    lock.release()
    #expect(next.isInPlace && failure() == .held(by: getpid()))
    next.release()
  }

  @Test func `A missing directory is reported with the kernel's error`() {
    let error = FileLock.Failure.system(operation: "open", errno: ENOENT)
    #expect(throws: error) { try FileLock(path: path + "/none/lock") }
  }

  @Test func `A symbolic link in place of the lock file is not followed`() throws {
    unsafe _ = symlink("/tmp/nowhere", path)
    defer { unsafe unlink(path) }
    #expect(failure() == .system(operation: "open", errno: ELOOP))
  }

  @Test func `The holder is the only process in /proc/locks that has a flock on the file`() throws {
    let file = try #require(FileIdentity(path: "/"))
    let line = { (kind: String, pid: Int, inode: UInt) in "1: \(kind) ADVISORY  WRITE \(pid) 08:01:\(inode) 0 EOF\n" }
    #expect(FileLock.holder(of: file, in: "") == nil)
    #expect(FileLock.holder(of: file, in: line("POSIX", 7, file.inode)) == nil)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 8, file.inode + 1) + line("FLOCK", 7, file.inode)) == 7)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 8, file.inode) + line("FLOCK", 7, file.inode)) == nil)
    #expect(FileLock.holder(of: file, in: line("FLOCK", 0, file.inode)) == nil)
  }
}
