import Control
import ControlClient
import Glibc
import NIOPosix
import Testing

/// A real daemon with a full standard error, or with closed standard descriptors.
struct StandardErrorTests {
  @Test func `a service whose standard error is full and never read works, and counts dropped lines`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let filled = fill(ends[1])
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start(["--log", "trace"], standard: .error(ends[1]))
    _ = try await client.plug(PlugRequest(display: "Virtual-2", width: 320, height: 240))
    let health = try await client.health()
    #expect(health.reasons.contains { $0.contains("log lines dropped") }, "\(health.reasons)")
    #expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0, "the test's own descriptor shares no flags with the service")
    var (left, part) = (filled, [UInt8](repeating: 0, count: 65536))
    while left > 0 { left -= max(1, unsafe read(ends[0], &part, min(left, part.count))) }
    // The request makes the daemon write the pending lines.
    #expect(try await client.health().state == .ok)
    let text = try await KilledService.text(from: ends[0], until: "dropped: standard error was not read")
    #expect(text.contains("warning: "), "\(text)")
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test func `closed standard descriptors become /dev/null, so that no socket takes their numbers`() async throws {
    let service = try KilledService()
    let pid = try await service.start(standard: .closed)
    for descriptor in 0...2 {
      var path = [CChar](repeating: 0, count: 256)
      let count = unsafe readlink("/proc/\(pid)/fd/\(descriptor)", &path, path.count)
      let target = String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(target == "/dev/null", "descriptor \(descriptor)")
    }
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  /// Fills a pipe to its last byte.
  ///
  /// - Returns: The capacity of the pipe.
  private func fill(_ pipe: Int32) -> Int {
    _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    let line = Array((String(repeating: "f", count: 63) + "\n").utf8)
    var filled = 0
    while case let count = unsafe write(pipe, line, line.count), count > 0 { filled += count }
    _ = fcntl(pipe, F_SETFL, 0)
    return filled
  }
}
