import Glibc
import Testing

@testable import Systemd

struct ServiceManagerTests {
  private func manager(_ socket: NotifySocket) -> ServiceManager {
    ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], pid: getpid())
  }

  @Test func `a notification reaches the socket at a path`() throws {
    let socket = try NotifySocket("/tmp/notify-\(getpid())-\(UInt32.random(in: .min ... .max))")
    #expect(manager(socket).notify(.ready))
    #expect(socket.receive() == "READY=1")
    #expect(socket.receive() == nil)
  }

  @Test func `a notification reaches a socket in the abstract namespace`() throws {
    let socket = try NotifySocket("@placard-notify-\(getpid())-\(UInt32.random(in: .min ... .max))")
    #expect(manager(socket).notify(.stopping))
    #expect(socket.receive() == "STOPPING=1")
  }

  @Test func `several notifications are sent in one datagram`() throws {
    let socket = try NotifySocket("@placard-several-\(getpid())-\(UInt32.random(in: .min ... .max))")
    #expect(manager(socket).notify(.ready, .status("2 displays lit"), .watchdog))
    #expect(socket.receive() == "READY=1\nSTATUS=2 displays lit\nWATCHDOG=1")
    #expect(socket.receive() == nil)
  }

  @Test func `a reload reports its time by the monotonic clock`() throws {
    let socket = try NotifySocket("@placard-reload-\(getpid())-\(UInt32.random(in: .min ... .max))")
    func now() -> UInt64 {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
    let before = now()
    #expect(manager(socket).notifyReloading())
    let after = now()
    let lines = try #require(socket.receive()).split(separator: "\n")
    #expect(lines.first == "RELOADING=1")
    let time = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
    #expect((before...after).contains(time))
  }

  @Test func `a line break in a status cannot inject another assignment`() {
    #expect(ServiceNotification.status("a\nREADY=1\r\nb").text == "STATUS=a READY=1 b")
  }

  @Test func `without a service manager, a notification is discarded`() {
    let manager = ServiceManager(environment: [:], pid: getpid())
    #expect(!manager.isListening)
    #expect(!manager.notify(.ready))
  }

  @Test func `a service manager that does not listen causes no failure`() {
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/notify"], pid: getpid())
    #expect(manager.isListening)
    #expect(!manager.notify(.ready))
  }

  @Test(arguments: ["", "@", "/", "vsock:2:1234", "relative", "/" + String(repeating: "x", count: 107)])
  func `an invalid address is ignored`(name: String) {
    #expect(!ServiceManager(environment: ["NOTIFY_SOCKET": name], pid: 1).isListening)
  }

  @Test func `the longest possible path of a socket is accepted`() {
    let name = "/" + String(repeating: "x", count: 106)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": name], pid: 1).isListening)
  }

  @Test func `the watchdog is notified at half its interval`() {
    func interval(_ more: [String: String]) -> Duration? {
      let socket = ["NOTIFY_SOCKET": "@watchdog"]
      return ServiceManager(environment: socket.merging(more) { $1 }, pid: 7).watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "3000000"]) == .milliseconds(1500))
    #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"]) == .milliseconds(1500))
    #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"]) == nil)
    #expect(interval([:]) == nil)
    for wrong in ["", "0", "-5", "soon", "99999999999999999999999"] {
      #expect(interval(["WATCHDOG_USEC": wrong]) == nil)
    }
    let alone = ServiceManager(environment: ["WATCHDOG_USEC": "3000000"], pid: 7)
    #expect(alone.watchdogInterval == nil)
  }
}
