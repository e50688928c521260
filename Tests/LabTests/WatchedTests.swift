import SystemCalls
import Testing

@testable import Lab

struct WatchedTests {
  @Test func `a waiter sees a change by another thread`() throws {
    let watched = ObservableState(0)
    try startThread("counter") { for _ in 0..<1000 { watched.update { $0 += 1 } } }
    let seen = watched.wait(until: Deadline(in: .seconds(20))) { $0 == 1000 ? $0 : nil }
    #expect(seen == 1000)
  }

  @Test func `a deadline that has passed still checks once`() {
    let watched = ObservableState(5)
    #expect(watched.wait(until: Deadline(in: .zero)) { $0 == 5 ? $0 : nil } == 5)
    #expect(watched.wait(until: Deadline(in: .zero)) { $0 == 6 ? $0 : nil } == nil)
  }

  @Test func `durations are converted to nanoseconds without overflow`() {
    #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
    #expect(Duration.seconds(-1).wholeNanoseconds == 0)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == UInt64(Int64.max))
    #expect(Duration.milliseconds(2540).formatted == "2.5 s")
  }

  @Test func `a program's output and exit code are returned`() throws {
    let shell = HostTool(name: "sh", package: "dash")
    #expect(try shell.run(["-c", "echo $((6 * 7)); pwd"], in: "/tmp") == "42\n/tmp\n")
    #expect(try shell.run(["-c", "echo $PLACE"], environment: ["PLACE": "here"]) == "here\n")
    do throws(LabError) {
      try shell.run(["-c", "echo why >&2; exit 4"])
      Issue.record("exit code 4 was accepted as success")
    } catch {
      #expect(error.kind == .refused)
      #expect(error.description.contains("exit code 4\nwhy"))
    }
  }

  @Test func `a file tree is created and removed, and links are not followed`() throws {
    let place = "\(temporaryDirectory())/lab-test-\(SystemClock.monotonicNanoseconds())"
    try Files.makeDirectory(place + "/a/b")
    try Files.write(Array("text".utf8), to: place + "/a/b/file")
    try HostTool(name: "ln", package: "coreutils").run(["-s", "/etc", place + "/link"])
    #expect(try Files.text(place + "/a/b/file") == "text")
    #expect(Files.list(place) == ["a", "link"])
    Files.remove(place)
    #expect(!Files.exists(place) && Files.exists("/etc/passwd"))
  }
}
