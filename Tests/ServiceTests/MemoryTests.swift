import Control
import ControlClient
import Glibc
import SystemFiles
import Testing

/// The memory usage of a daemon that runs for months.
struct MemoryTests {
  @Test func `the memory of a screenshot is returned to the kernel`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start()
    let display = try #require(await client.displays().first)
    let before = try anonymous(pid)
    for _ in 0..<3 { #expect(try await client.screenshot(display.name).count > 1000) }
    // A frame of 1920x1080 is 8 MB, and an encoding needs more than one.
    let after = try anonymous(pid)
    #expect(after <= before + 6000, "\(before) KiB before, \(after) KiB after")
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  /// Returns the anonymous memory in KiB. `status` counts it per thread and lags by some pages (proc(5)).
  private func anonymous(_ process: pid_t) throws -> Int {
    let rollup = try #require(SystemFiles().text("/proc/\(process)/smaps_rollup"))
    let line = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
    return try #require(Int(line.split(separator: " ")[1]))
  }
}
