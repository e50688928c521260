import Glibc
import Lab
import Testing

extension Tag {
  /// Boots a guest in QEMU.
  @Tag static var lab: Self
}

/// Boots one guest for all tests of a suite, and stops it after them.
struct Booted: SuiteTrait, TestScoping {
  @TaskLocal static var lab: Lab?

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let lab = try Lab.boot()
    defer { lab.down() }
    try await Booted.$lab.withValue(lab) { try await function() }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test and names the missing packages if a guest cannot be booted.
  static var needsLab: Self {
    let missing = Lab.missingPackages
    return .enabled(if: missing.isEmpty, "the lab needs: apt-get install \(missing.joined(separator: " "))")
  }
}

@Suite(.tags(.lab), .serialized, .needsLab, .timeLimit(.minutes(10)), Booted())
struct LiveLabTests {
  private let lab: Lab

  init() throws {
    lab = try #require(Booted.lab)
  }

  private func status(_ output: Int) throws -> String {
    try lab.text("/sys/class/drm/card0-Virtual-\(output + 1)/status")
  }

  /// Waits for uevents until one has updated the status.
  ///
  /// The first event after a change can arrive before the driver has its answer; the driver then sends another (kernel:
  /// drivers/gpu/drm/virtio/virtgpu_kms.c and virtgpu_vq.c).
  private func waitForStatus(_ output: Int, _ expected: String) throws {
    while true {
      let mark = try lab.ueventCount
      if try status(output) == expected { return }
      _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    }
  }

  @Test func `programs run with their streams, arguments, environment, directory and exit code`() throws {
    let script = "cat; echo \"$1 $NAME $PWD\"; echo wrong >&2; exit 7"
    let result = try lab.run(
      ["sh", "-c", script, "sh", "a b"], environment: ["NAME": "ü"], directory: "/usr", input: Array("in\n".utf8))
    #expect(result.status == .exited(7))
    #expect(result.output == "in\na b ü /usr\n")
    #expect(result.errors == "wrong\n")
    #expect(try lab.shell("uname -n") == "lab\n")
  }

  @Test func `a missing program is an error that says so`() {
    #expect { try lab.run(["no-such-program"]) } throws: { error in
      (error as? LabError)?.description.contains("No such file") == true
    }
    #expect(throws: LabError.self) { try lab.shell("exit 3") }
  }

  @Test func `several programs run at once, are awaited line by line, and are killed`() throws {
    let first = try lab.start(["sh", "-c", "echo one; read line; echo got $line; sleep 1000"], input: nil)
    let second = try lab.start(["sh", "-c", "echo two >&2; exec sleep 1000"])
    let line = try first.waitForLine(containing: "one", within: .generous)
    try second.waitForLine(containing: "two", within: .generous)
    try first.write(Array("hello\n".utf8))
    try first.waitForLine(containing: "got hello", from: line + 1, within: .generous)
    #expect(first.isRunning && second.isRunning)
    try first.kill(SIGTERM)
    try second.kill(SIGKILL)
    #expect(try first.wait(within: .generous).status == .signalled(SIGTERM))
    #expect(try second.wait(within: .generous).status == .signalled(SIGKILL))
    #expect(throws: LabError.self) { try first.waitForLine(containing: "never", within: .generous) }
  }

  @Test func `files are copied in both directions, whatever they contain`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try lab.put(content, to: "/tmp/lab/new/file", mode: 0o600)
    #expect(try lab.get("/tmp/lab/new/file") == content)
    #expect(try lab.shell("stat -c '%a %s' /tmp/lab/new/file") == "600 200000\n")
    try lab.put([], to: "/tmp/lab/empty")
    #expect(try lab.get("/tmp/lab/empty").isEmpty)
    #expect(throws: LabError.self) { try lab.get("/no/such/file") }
    #expect(try lab.run(["cat", "/tmp/lab/new/file"]).outputBytes == content)
  }

  @Test func `the guest has the host's files under its own layer`() throws {
    #expect(try lab.text("/etc/os-release") == (try Host.text("/etc/os-release")))
    try lab.shell("echo changed > /etc/os-release && mount | grep -q ' /dev/shm ' && test -d /sys/kernel/debug/dri")
    #expect(try lab.text("/etc/os-release") == "changed")
    #expect(try Host.text("/etc/os-release") != "changed")
  }

  @Test func `a file changed on the host is visible after the guest rereads it`() throws {
    let place = "/tmp/lab-test-\(getpid())"
    defer { Host.remove(place) }
    for text in ["before", "after, and longer"] {
      try Host.write(text, to: place)
      try lab.dropHostFileCache()
      let seen = try lab.text(place)
      #expect(seen == text)
    }
  }

  @Test func `plugging and unplugging a monitor is a uevent, a status and a frame`() throws {
    #expect(try status(0) == "disconnected")
    var mark = try lab.ueventCount
    let before = try lab.clock()
    try lab.plug(0, width: 1920, height: 1080)
    let plugged = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    #expect(plugged.nanoseconds > before)
    try waitForStatus(0, "connected")
    #expect(try lab.text("/sys/class/drm/card0-Virtual-1/modes").hasPrefix("1920x1080"))
    let seen = try lab.waitForFrame(0, within: .generous) { $0.width == 1920 && $0.height == 1080 }
    #expect(seen.picture.bytes.count == 1920 * 1080 * 3)
    #expect(try lab.screenshot(0).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    mark = try lab.ueventCount
    try lab.unplug(0)
    _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    try waitForStatus(0, "disconnected")
  }

  @Test func `plugging in the same size again is another uevent`() throws {
    for _ in 0..<3 {
      let mark = try lab.ueventCount
      try lab.plug(1, width: 800, height: 480)
      _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    }
    try lab.unplug(1)
  }

  @Test func `the connector has the given EDID, even an invalid one, until it is reset`() throws {
    var edid = try lab.edid(ofPlugged: 2, width: 1280, height: 720)
    edid[12] ^= 0xff
    edid[127] = edid[127] &+ 1
    try lab.plug(2, edid: edid)
    try lab.shell("echo detect > /sys/class/drm/card0-Virtual-3/status")
    // The checksum is wrong: the kernel keeps the bytes, and uses the modes that need no EDID.
    #expect(try lab.get("/sys/class/drm/card0-Virtual-3/edid") == Array(edid[..<128]) + edid[128...])
    for refused in [[], [UInt8](repeating: 0, count: 127), [UInt8](repeating: 0xff, count: 128)] {
      #expect(throws: LabError.self) { try lab.plug(2, edid: refused) }
    }
    try lab.resetEDID(2)
    #expect(try lab.edid(ofPlugged: 2, width: 1280, height: 720)[12] != edid[12])
    try lab.unplug(2)
  }

  @Test func `a card is added and yanked while the guest runs`() throws {
    let cards = try lab.shell("ls /dev/dri | grep -c card")
    let card = try lab.addCard()
    #expect(try lab.shell("ls /dev/dri | grep -c card") != cards)
    #expect(try lab.picture(0, card: card).width > 0)
    try lab.removeCard(card)
    #expect(try lab.shell("ls /dev/dri | grep -c card") == cards)
    #expect(throws: LabError.self) { try lab.removeCard(card) }
  }

  @Test func `the card leaves the PCI bus and returns`() throws {
    let address = try lab.removeFromPCI(driver: "virtio_gpu")
    #expect(address.hasPrefix("0000:"))
    #expect(throws: LabError.self) { try lab.shell("ls /dev/dri/card*") }
    try lab.rescanPCI()
    try lab.shell("ls /dev/dri/card*")
  }

  @Test func `a second program can use the lab at the same time as the first`() throws {
    let other = try Lab.attach(to: lab.name)
    #expect(try other.shell("echo other") == "other\n")
    #expect(try lab.shell("echo first") == "first\n")
    #expect(Lab.names.contains(lab.name))
    #expect(try other.uevents.count == (try lab.uevents.count) || (try lab.ueventCount) > 0)
  }

  @Test func `connections to a forwarded socket end in the guest, and a refused one is closed`() throws {
    let forwarded = try lab.forwardSocket("/run/echo.sock")
    let client = ["perl", "-MIO::Socket::UNIX", "-e", Self.client, forwarded.path]
    #expect(try Lab.startOnHost(client).wait(within: .generous).output == "closed\n", "no program listens")
    let server = try lab.start(["perl", "-MIO::Socket::UNIX", "-e", Self.echo, "/run/echo.sock"])
    try server.waitForLine(containing: "ready", within: .generous)
    // Several at once, each longer than a frame of the port.
    let clients = try (0..<4).map { _ in try Lab.startOnHost(client) }
    for client in clients { #expect(try client.wait(within: .generous).output == "200000 echoed\n") }
    try server.kill(SIGKILL)
  }

  /// Sends 200000 bytes, and prints how many came back as they were.
  private static let client = """
    my $s = IO::Socket::UNIX->new(Peer => shift) or die "$!"; $SIG{PIPE} = "IGNORE";
    my $text = join ",", 1 .. 40000; $text = substr $text, 0, 200000;
    if (!fork) { print $s $text; $s->flush; shutdown $s, 1; exit }
    my $back = ""; while (length $back < 200000) { read($s, $back, 1, length $back) or last }
    print $back eq $text ? length($back) . " echoed\\n" : $back eq "" ? "closed\\n" : "something else\\n"; wait
    """

  /// Serves each connection in a process of its own.
  private static let echo = """
    my $l = IO::Socket::UNIX->new(Local => shift, Listen => 8) or die "$!"; $SIG{CHLD} = "IGNORE";
    $| = 1; print "ready\\n";
    while (my $c = $l->accept) { next if fork; while (sysread $c, my $part, 8192) { print $c $part; $c->flush } exit }
    """

  @Test func `the programs of a host that disconnects are killed`() throws {
    var pid = ""
    do {
      let other = try Lab.attach(to: lab.name)
      let program = try other.start(["sh", "-c", "echo $$; exec sleep 4321"])
      let line = try program.waitForLine(containing: "", within: .generous)
      pid = program.lines[line].text
      #expect(Int(pid) != nil)
      try lab.shell("test -d /proc/\(pid)")
    }
    // The agent learns of it by a signal. A process descriptor is readable once its process has ended
    // (pidfd_open(2), system call 434).
    let wait = try lab.run(
      [
        "perl", "-e",
        "my $end = syscall 434, $ARGV[0] + 0, 0; exit !$!{ESRCH} if $end < 0; vec(my $ends, $end, 1) = 1; "
          + "select $ends, undef, undef, undef", pid,
      ], within: .generous)
    #expect(wait.status.isSuccess, "\(wait)")
  }
}

/// The host's side of a comparison.
enum Host {
  static func text(_ path: String) throws -> String {
    let file = unsafe try #require(fopen(path, "r"))
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension Host {
  static func write(_ text: String, to path: String) throws {
    let file = unsafe try #require(fopen(path + ".new", "w"))
    #expect(unsafe fputs(text, file) >= 0)
    unsafe fclose(file)
    try #require(unsafe rename(path + ".new", path) == 0)
  }

  static func remove(_ path: String) {
    unsafe unlink(path)
  }
}

extension Lab {
  /// The EDID that QEMU generates for a monitor of this size.
  func edid(ofPlugged output: Int, width: Int, height: Int) throws -> [UInt8] {
    let mark = try ueventCount
    try plug(output, width: width, height: height)
    _ = try waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    try shell("echo detect > /sys/class/drm/card0-Virtual-\(output + 1)/status")
    return try get("/sys/class/drm/card0-Virtual-\(output + 1)/edid")
  }
}
