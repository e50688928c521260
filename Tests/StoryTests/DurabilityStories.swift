import Control
import FoundationEssentials
import Geometry
import Glibc
import Lab
import Testing

/// Acknowledged changes survive a sudden end of the daemon and the machine, on the guest's own disk.
///
/// A disk that accepts no writes does not block the daemon.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct DurabilityStories {
  enum Ending: String, CaseIterable { case kill, powerCut }

  @Test(arguments: Ending.allCases)
  func `acknowledged changes survive a sudden end, and each monitor's first frame shows its own scene`(
    ending: Ending
  ) throws {
    let disk = "\(temporaryFolder)/placard-story-\(getpid())-\(ending).img"
    defer { unsafe unlink(disk) }
    var guest = try boot(disk)
    try guest.placard("show", "One", "--display", "Virtual-1", "--wait")
    try guest.placard("sleep", "Virtual-3")
    let posts = try guest.repeating("show \"Text $i\" --name n$i --priority -50")
    let shows = try guest.repeating("show \"Other $i\" --display Virtual-2 --wait")
    try posts.waitForLine(containing: "done 5", within: .generous)
    try shows.waitForLine(containing: "done 5", within: .generous)
    switch ending {
    case .kill: try guest.end(SIGKILL)
    case .powerCut: guest.lab.cutPower()
    }
    for loop in [posts, shows] {
      try loop.kill(SIGKILL)
      _ = try loop.wait(within: .generous)
    }
    switch ending {
    case .kill:
      try guest.restart(Self.arguments)
      try waitForDisplays(guest)
    case .powerCut: guest = try boot(disk)
    }
    try compare(guest, posted: done(posts), shown: done(shows))
    try guest.end()
    guest.lab.down()
  }

  @Test func `a full or read-only disk blocks nothing, and pending changes are stored once it is writable`() throws {
    let disk = "\(temporaryFolder)/placard-story-\(getpid())-full.img"
    defer { unsafe unlink(disk) }
    let guest = try boot(disk)
    let lab = guest.lab
    try guest.placard("show", "Before", "--display", "Virtual-1", "--wait")

    // Leave no free space, not even the reserved blocks that ext4 keeps for root.
    try lab.shell("dd if=/dev/zero of=/state/fill bs=64k 2>/dev/null || sync")
    guest.skipLog()
    try fill(guest)
    try guest.waitForLog("/state/state.sqlite")
    try complain(guest, "free some space there")
    _ = try guest.see(0, try Expectation("While full", Size(1280, 720)))
    #expect(try history(guest, "Virtual-1").contains { $0.what == "While full" }, "even with --wait")
    try lab.shell("rm /state/fill && sync")
    try guest.waitForLog("what waited in memory is stored", within: .generous)
    try beWell(guest)

    try guest.end(SIGKILL)
    try lab.shell("umount /state && mount -o ro /dev/vda /state")
    try guest.restart(Self.arguments)
    _ = try guest.see(0, try Expectation("While full", Size(1280, 720)))
    try guest.placard("show", "While read-only", "--display", "Virtual-1", "--wait")
    try complain(guest, "make the file and its folder writable")
    try lab.shell("mount -o remount,rw /state")
    try guest.placard("show", "After", "--display", "Virtual-2", "--wait")
    try beWell(guest)

    try guest.end(SIGKILL)
    try guest.restart(Self.arguments)
    _ = try guest.see(0, try Expectation("While read-only", Size(1280, 720)))
    _ = try guest.see(1, try Expectation("After", Size(1024, 768)))
    let shown = try history(guest, "Virtual-1").map(\.what)
    #expect(try names(guest).isSuperset(of: ["w1", "w2", "w3"]))
    #expect(["While read-only", "While full", "Before"].allSatisfy(shown.contains), "\(shown)")
    try guest.end()
    lab.down()
  }

  // MARK: The fixture

  private static let arguments = ["--message", "Welcome", "--state", "/state/state.sqlite"]
  private var temporaryFolder: String { FileManager.default.temporaryDirectory.path }

  /// Boots a guest with three monitors, whose state is on a separate disk.
  private func boot(_ disk: String) throws -> GuestFixture {
    var options = LabOptions()
    options.disk = disk
    options.monitors = [0: (1280, 720), 1: (1024, 768), 2: (800, 600)]
    let lab = try GuestFixture.boot(options)
    try lab.shell("mkdir /state && mount \(options.diskDevice) /state")
    let guest = try GuestFixture(lab: lab, Self.arguments)
    try waitForDisplays(guest)
    return guest
  }

  /// Waits until all three monitors have their frame, or sleep.
  private func waitForDisplays(_ guest: GuestFixture) throws {
    _ = try guest.wait { displays in displays.count { [.lit, .asleep].contains($0.state) } == 3 }
  }

  /// Returns the number of the last command that succeeded.
  private func done(_ loop: LabProcess) -> Int {
    loop.output.split(separator: "\n").compactMap { Int($0.dropFirst("done ".count)) }.last ?? 0
  }

  // MARK: The expected state

  /// Compares the state with the acknowledged commands. The command in flight of each loop may have been executed as
  /// well.
  private func compare(_ guest: GuestFixture, posted: Int, shown: Int) throws {
    #expect(posted >= 5 && shown >= 5)
    let names = try names(guest)
    #expect((1...posted).allSatisfy { names.contains("n\($0)") }, "\(posted) were sent: \(names)")
    #expect(names.isSubset(of: (1...posted + 1).map { "n\($0)" }), "\(names)")

    let other = try #require(guest.display("Virtual-2").message)
    #expect(["Other \(shown)", "Other \(shown + 1)"].contains(other))
    #expect(try guest.display("Virtual-1").message == "One")
    #expect(try guest.display("Virtual-3").state == .asleep)
    _ = try guest.see(0, try Expectation("One", Size(1280, 720)))
    _ = try guest.see(1, try Expectation(other, Size(1024, 768)))

    // The first history entry after the restart, whose predecessor's end is only estimated, is the monitor's own scene.
    let own = try history(guest, "Virtual-1")
    #expect(own.prefix(2).map(\.what) == ["One", "One"])
    #expect(own.prefix(2).map(\.exact) == [true, false])
    let others = try history(guest, "Virtual-2")
    #expect(others.first?.what == other)
    #expect(others.first { $0.ended == nil } == others.first)
    let end = others.firstIndex { !$0.exact }
    #expect(end == 1, "\(others.prefix(4))")
    let seen = Set(others.map(\.what))
    #expect((1...shown).allSatisfy { seen.contains("Other \($0)") }, "\(shown) were presented: \(seen)")
  }

  private func history(_ guest: GuestFixture, _ display: String) throws -> [HistoryLine] {
    let text = try guest.placard("history", "--display", display, "--limit", "1000", "--json")
    return try JSONDecoder().decode([HistoryLine].self, from: Data(text.utf8))
  }

  /// Returns the names of the live messages.
  private func names(_ guest: GuestFixture) throws -> Set<String> {
    let messages = try JSONDecoder().decode([LiveMessage].self, from: Data(guest.placard("messages", "--json").utf8))
    return Set(messages.compactMap(\.name))
  }

  private func fill(_ guest: GuestFixture) throws {
    for number in 1...3 { try guest.placard("show", "Waiting \(number)", "--name", "w\(number)", "--priority", "-50") }
    try guest.placard("show", "While full", "--display", "Virtual-1", "--wait")
  }

  /// Expects the status to name the file and the next step.
  private func complain(_ guest: GuestFixture, _ advice: String) throws {
    let status = try guest.placard("status")
    #expect(status.contains("problem: ") && status.contains("/state/state.sqlite"), "\(status)")
    #expect(status.contains(advice), "\(status)")
  }

  private func beWell(_ guest: GuestFixture) throws {
    let status = try guest.placard("status")
    #expect(!status.contains("problem:") && status.contains("storage: /state/state.sqlite"), "\(status)")
  }
}
