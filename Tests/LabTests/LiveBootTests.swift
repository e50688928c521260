import Glibc
import Testing

@testable import Lab

/// Labs of other kinds, each with its own boot.
@Suite(.tags(.lab), .serialized, .needsLab, .timeLimit(.minutes(15)))
struct LiveBootTests {
  @Test func `two labs run at once with different cards, and leave nothing behind`() throws {
    var options = LabOptions()
    options.monitors = [1: (800, 480)]
    let first = try Lab.boot(options)
    options = LabOptions()
    options.card = .cirrus
    options.overlayFiles = [.file("/etc/lab-test", "text"), .link("/etc/lab-link", to: "lab-test")]
    let second = try Lab.boot(options)
    #expect(try first.text("/sys/class/drm/card0-Virtual-2/status") == "connected")
    #expect(try first.text("/sys/class/drm/card0-Virtual-1/status") == "disconnected")
    #expect(try second.shell("ls /sys/class/drm; cat /etc/lab-link").contains("card0-VGA-1\n"))
    #expect(try second.text("/etc/lab-link") == "text")
    #expect(Set(Lab.names).isSuperset(of: [first.name, second.name]))
    #expect(throws: LabError.self) { try second.plug(0, edid: [UInt8](repeating: 0, count: 128)) }
    #expect(first.kernelState.contains("sysrq: Show Blocked State"))
    first.down()
    #expect(first.kernelState == "the guest does not answer")
    second.down()
    #expect(Set(Lab.names).isDisjoint(with: [first.name, second.name]))
    #expect(throws: LabError.self) { try first.shell("true") }
  }

  @Test func `a guest that does not boot in time is booted again, and its diagnostics are reported`()
    throws
  {
    var options = LabOptions()
    options.bootTime = .milliseconds(1)
    var reported: [String] = []
    #expect { _ = try Lab.boot(options) { reported.append($0) } } throws: { error in
      "\(error)".hasPrefix("the second boot failed as well: the guest did not boot: the guest's agent did not answer")
    }
    let words = try #require(reported.first)
    #expect(
      reported.count == 1 && words.contains("its console is empty") && words.contains("IP="), "\(words)")
  }

  @Test func `a guest that dies is detected, and the error shows the end of its console`() throws {
    let lab = try Lab.boot()
    defer { lab.down() }
    let program = try lab.start(["sleep", "1000"])
    try lab.shell("echo 1 > /proc/sys/kernel/sysrq")
    _ = try? lab.run(["sh", "-c", "echo c > /proc/sysrq-trigger"], within: .generous)
    #expect { try program.wait(within: .generous) } throws: { ($0 as? LabError)?.kind == .ended }
    #expect(lab.console.contains("sysrq"))
  }

  @Test func `a guest does not outlive the program that booted it, however that program ends`() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      var options = LabOptions()
      options.name = "abandoned"
      let lab = try Lab.boot(options)
      try lab.shell("true")
      kill(getpid(), SIGKILL)
    }
    // QEMU holds the lock, so the lock is free as soon as QEMU has exited.
    do {
      let alive = try Descriptor.open(LabDirectory.base + "/abandoned/alive", O_RDWR)
      #expect(alive.lock(wait: true))
    }
    #expect(!Lab.names.contains("abandoned"))
    #expect(throws: LabError.self) { try Lab.attach(to: "abandoned") }
  }
}
