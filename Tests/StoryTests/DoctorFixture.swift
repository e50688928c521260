import Control
import Doctor
import Glibc
import JSON
import Lab
import Testing

/// A guest whose setup is broken on purpose, and `placard doctor` in it.
struct DoctorFixture {
  let lab: Lab

  /// The socket of a daemon that does not run as root.
  static let socket = "/run/placard/placard.sock"

  /// Boots a guest with a monitor, a disk, the user placard, and a card for the group video, as in udev's rule.
  static func boot() throws -> Lab {
    var options = LabOptions()
    let disk = "/tmp/placard-machine-\(getpid()).img"
    options.disk = disk
    options.monitors = [0: (1280, 720)]
    let lab = try GuestFixture.boot(options)
    // QEMU has the file open by now.
    unsafe unlink(disk)
    try lab.shell(
      "sed -i '/^placard:/d' /etc/passwd /etc/group; echo 'placard:x:60990:60990::/:/bin/sh' >>/etc/passwd; "
        + "echo 'placard:x:60990:' >>/etc/group; grep -q ^video: /etc/group || echo 'video:x:44:' >>/etc/group; "
        + "sed -i '/^video:/s/:[^:]*$/:root/' /etc/group; chgrp video /dev/dri/card0; chmod 660 /dev/dri/card0; "
        + "mkdir /state && mount \(options.diskDevice) /state; install -d -o placard /run/placard")
    return lab
  }

  /// Starts the daemon as root.
  func serve(_ arguments: [String] = []) throws -> GuestFixture {
    try GuestFixture(lab: lab, ["--message", "Doctor"] + arguments)
  }

  /// Moves the daemon into a control group with a memory limit for new allocations, in which it can start no thread.
  ///
  /// Its existing memory stays charged to the previous group (cgroup-v2, "Memory Ownership"). The OOM killer does not
  /// end it for a large allocation.
  func confine(_ guest: GuestFixture, to group: String, memory bytes: Int) throws {
    let pid = try guest.pid()
    try lab.shell(
      "echo \(bytes) >\(group)/memory.max && echo 1 >\(group)/pids.max && echo -1000 >/proc/\(pid)/oom_score_adj && "
        + "echo \(pid) >\(group)/cgroup.procs")
  }

  /// Starts the daemon as the user placard, with `setpriv`'s option for its groups.
  func serveAsPlacard(groups: String) throws -> LabProcess {
    let service = try lab.start([
      "setpriv", "--reuid=placard", "--regid=placard", groups, "\(GuestFixture.programs)/placardd", "--backend", "kms",
      "--socket", Self.socket, "--state", "none",
    ])
    try service.waitForLine(containing: "ready:", within: .generous)
    return service
  }

  /// Switches tty1 to the foreground and to graphics or text mode (ioctl_console(2), KDSETMODE).
  func setTerminal(isGraphics: Bool) throws {
    try lab.shell(
      "chvt 1; perl -e 'open(my $t, \"+<\", \"/dev/tty1\") or die; ioctl($t, 0x4B3A, \(isGraphics ? 1 : 0)) or die'")
  }

  /// Returns the report of `placard doctor`.
  func diagnose(socket: String = GuestFixture.socket) throws -> Diagnosis {
    let result = try lab.run(
      ["\(GuestFixture.programs)/placard", "doctor", "--json", "--socket", socket, "--timeout", "100"],
      within: .generous)
    let diagnosis = try JSON.decode(Diagnosis.self, from: Array(result.output.utf8))
    #expect(result.status == .exited(diagnosis.healthy ? 0 : 1), "\(result)")
    return diagnosis
  }

  /// Expects no faults.
  func expectHealth() throws {
    let wrong = try diagnose().findings.filter { $0.severity == .wrong }
    #expect(wrong.isEmpty)
  }

  /// Expects a finding in the report of `placard doctor`.
  @discardableResult
  func expect(_ code: String, _ severity: Finding.Severity, socket: String = GuestFixture.socket) throws -> Finding {
    let diagnosis = try diagnose(socket: socket)
    let reported = diagnosis.findings.filter { $0.severity != .ok }.map { "\($0.severity) \($0.code): \($0.text)" }
    let finding = try #require(diagnosis.findings.first { $0.code == code }, "\(reported.joined(separator: "\n"))")
    #expect(finding.severity == severity, "\(finding)")
    return finding
  }
}
