import CLinux
import Configuration
import Control
import ControlClient
import Glibc
import Logging
import Testing

@testable import Service

/// SIGHUP to a real daemon: a reload applies everything or nothing.
struct ReloadTests {
  @Test func `a reload that cannot listen applies nothing, and the next one everything`() async throws {
    let taken = try Listener()
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    try service.configure("message = 'one'\n")
    let pid = try await service.start(["--config", service.configuration])
    #expect(try await client.message().text == "one")
    try service.configure("message = 'two'\n[controller]\nlisten = '127.0.0.1:\(taken.port)'\n")
    try await service.reload(pid)
    #expect(try await client.message().text == "one")
    #expect(try await client.status().address == nil)
    #expect(try service.complaints().contains("127.0.0.1:\(taken.port): choose another port"))
    taken.end()
    try await service.reload(pid)
    #expect(try await client.message().text == "two")
    #expect(try await client.status().address == "http://127.0.0.1:\(taken.port)/")
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test func `changed keys that need a restart are named in the log, the health and the status`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    try service.configure("")
    let pid = try await service.start(["--config", service.configuration])
    try service.configure("history_days = 7\natomic = false\n")
    try await service.reload(pid)
    let reason = "changed in the configuration, but not applied: atomic, history_days; restart placardd to apply them"
    #expect(try await client.health().reasons.first?.hasPrefix(reason) == true)
    #expect(try await client.status().problems.first?.hasPrefix(reason) == true)
    #expect(try service.complaints().contains(reason))
    try service.configure("")
    try await service.reload(pid)
    #expect(try await client.health().state == .ok)
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test func `all loggers share one threshold, which can change`() {
    let threshold = LogThreshold(.warning)
    let writer = LineWriter(-1)
    let loggers = (1...2).map { _ in
      Logger(label: "test") { _ in LogLines(threshold, writer: writer, isForJournal: false) }
    }
    #expect(loggers.allSatisfy { $0.logLevel == .warning })
    threshold.level = .debug
    #expect(loggers.allSatisfy { $0.logLevel == .debug })
  }

  /// A listener on a free port of the loopback address.
  private final class Listener {
    let port: Int
    private var descriptor: Int32

    init() throws {
      descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      unsafe inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      var isBound = false
      // The kernel gives no port in this range to others, who could have it as soon as this one is closed.
      for _ in 0..<1000 where !isBound {
        address.sin_port = UInt16.random(in: 20_000..<32_000).bigEndian
        isBound = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
          }
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      try #require(isBound)
    }

    func end() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    deinit { end() }
  }
}
