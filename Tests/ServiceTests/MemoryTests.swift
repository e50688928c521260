import Control
import ControlClient
import Glibc
import SystemFiles
import Testing
import Waiting

/// What a service that runs for months holds on to.
struct MemoryTests {
  @Test func `what a screenshot took goes back to the kernel`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start()
    let display = try #require(await client.displays().first)
    let before = try anonymous(pid)
    for _ in 0..<3 { #expect(try await client.screenshot(display.name).count > 1000) }
    // Of 1920x1080 a picture is 8 MB, and there is more than one on the way to a file.
    try await waitWhile(within: .seconds(30)) { try anonymous(pid) > before + 6000 }
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  /// Kilobytes of memory that is no file's. `status` counts them by thread, and is late by some pages of each (proc(5)).
  private func anonymous(_ process: pid_t) throws -> Int {
    let rollup = try #require(SystemFiles().text("/proc/\(process)/smaps_rollup"))
    let line = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
    return try #require(Int(line.split(separator: " ")[1]))
  }
}
