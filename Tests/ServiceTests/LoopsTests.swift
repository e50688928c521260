import Glibc
import SystemFiles
import Testing

/// The threads of a real daemon.
struct LoopsTests {
  private let files = SystemFiles()

  @Test func `threads that probe, sync and write files have a lower priority than those with deadlines`() async throws {
    let service = try KilledService()
    let pid = try await service.start([])
    let niceness = try files.names(in: "/proc/\(pid)/task").map { try self.niceness(of: $0, in: pid) }
    let own = try #require(niceness.min())
    #expect(niceness.count { $0 == own + 5 } == 4)
    #expect(niceness.count { $0 == own } >= 4, "main, control, and at least two render threads")
    #expect(niceness.allSatisfy { $0 == own || $0 == own + 5 })
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  /// Returns the 19th field of a thread's stat, after the name in brackets (kernel:
  /// Documentation/filesystems/proc.rst).
  private func niceness(of thread: String, in pid: pid_t) throws -> Int {
    let stat = try #require(files.text("/proc/\(pid)/task/\(thread)/stat"))
    let words = try #require(stat.split(separator: ")").last).split(separator: " ")
    return try #require(Int(words[16]))
  }
}
