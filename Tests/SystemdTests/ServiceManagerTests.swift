import Glibc
import Testing

@testable import Systemd

/// Each test that needs an environment has a process of its own, because setenv(3) is not safe beside other threads.
struct ServiceManagerTests {
  /// Sets a variable of this process, which no other thread reads.
  private static func set(_ name: String, _ value: String) { unsafe setenv(name, value, 1) }

  @Test func `a notification reaches the socket at a path`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket("/tmp/notify-\(getpid())")
      Self.set("NOTIFY_SOCKET", socket.name)
      #expect(ServiceManager().notify([.ready]))
      #expect(socket.receive() == "READY=1")
      #expect(socket.receive() == nil)
    }
  }

  @Test func `a notification reaches a socket in the abstract namespace`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket("@placard-notify-\(getpid())")
      Self.set("NOTIFY_SOCKET", socket.name)
      #expect(ServiceManager().notify([.stopping]))
      #expect(socket.receive() == "STOPPING=1")
    }
  }

  @Test func `several notifications are sent in one datagram`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket("@placard-several-\(getpid())")
      Self.set("NOTIFY_SOCKET", socket.name)
      #expect(ServiceManager().notify([.ready, .status("2 displays lit"), .watchdog]))
      #expect(socket.receive() == "READY=1\nSTATUS=2 displays lit\nWATCHDOG=1")
      #expect(socket.receive() == nil)
    }
  }

  @Test func `a reload has its time by the monotonic clock`() {
    #expect(ServiceNotification.reloading(microseconds: 7).text == "RELOADING=1\nMONOTONIC_USEC=7")
  }

  @Test func `a line break in a status cannot inject another assignment`() {
    #expect(ServiceNotification.status("a\nREADY=1\r\nb").text == "STATUS=a READY=1 b")
  }

  @Test func `without a service manager, a notification is discarded`() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("NOTIFY_SOCKET")
      let manager = ServiceManager()
      #expect(!manager.isListening)
      #expect(!manager.notify([.ready]))
    }
  }

  @Test func `a service manager that does not listen causes no failure`() async {
    await #expect(processExitsWith: .success) {
      for name in ["/nowhere/notify", "", "@", "/", "relative", "/" + String(repeating: "x", count: 200)] {
        Self.set("NOTIFY_SOCKET", name)
        #expect(!ServiceManager().notify([.ready]), "\(name)")
      }
    }
  }

  @Test func `the watchdog is notified at half its interval`() async {
    await #expect(processExitsWith: .success) {
      func interval(_ microseconds: String?, pid: String? = nil) -> Duration? {
        for (name, value) in [("WATCHDOG_USEC", microseconds), ("WATCHDOG_PID", pid)] {
          if let value { Self.set(name, value) } else { unsafe unsetenv(name) }
        }
        return ServiceManager().watchdogInterval
      }
      Self.set("NOTIFY_SOCKET", "@watchdog")
      #expect(interval("3000000") == .milliseconds(1500))
      #expect(interval("3000000", pid: String(getpid())) == .milliseconds(1500))
      #expect(interval("3000000", pid: "1") == nil)
      #expect(interval(nil) == nil)
      for wrong in ["", "0", "-5", "soon", "99999999999999999999999"] { #expect(interval(wrong) == nil, "\(wrong)") }
      unsafe unsetenv("NOTIFY_SOCKET")
      #expect(interval("3000000") == nil)
    }
  }
}
