import CLinux
import Glibc
import SystemCalls

/// The directory of a running lab: sockets, console log, process ID and counters.
///
/// It is removed with the lab.
struct LabDirectory: Sendable {
  let name: String
  let path: String

  var console: String { path + "/console.log" }
  var qmpSocket: String { path + "/qmp" }
  func portSocket(_ number: Int) -> String { "\(path)/port\(number)" }
  /// Returns the path of the socket of the program that runs a USB card.
  func usbSocket(_ card: String) -> String { "\(path)/\(card).socket" }

  /// The parent of all labs' directories: $XDG_RUNTIME_DIR/placard-lab or /tmp/placard-lab-UID.
  static var base: String {
    if let runtime = unsafe getenv("XDG_RUNTIME_DIR") {
      let directory = unsafe String(cString: runtime)
      if Files.exists(directory) { return directory + "/placard-lab" }
    }
    return "/tmp/placard-lab-\(getuid())"
  }

  /// Creates the directory of a new lab.
  ///
  /// A name is reserved as long as its QEMU runs.
  static func create(name: String?) throws(LabError) -> LabDirectory {
    try Files.makeDirectory(base, mode: 0o700)
    try checkOwner()
    sweep()
    let name = name ?? "lab-\(getpid())-\(String(SystemClock.monotonicNanoseconds() % 2_176_782_336, radix: 36))"
    let directory = try LabDirectory(checking: name)
    guard unsafe mkdir(directory.path, 0o700) == 0 else {
      if errno != EEXIST { throw LabError.system("create \(directory.path)") }
      throw LabError(.invalid, "a lab named \(name) is already up; stop it first (placard-lab down --name \(name))")
    }
    return directory
  }

  /// Returns the directory of a running lab.
  static func existing(name: String) throws(LabError) -> LabDirectory {
    let directory = try LabDirectory(checking: name)
    guard Files.exists(directory.path), !directory.isStale else {
      let others = names.isEmpty ? "none is up" : "these are up: " + names.joined(separator: ", ")
      throw LabError(.missing, "no lab named \(name) is up (\(others)); start it with: placard-lab up --name \(name)")
    }
    return directory
  }

  /// The names of the running labs.
  static var names: [String] {
    Files.list(base).filter { name in (try? LabDirectory(checking: name)).map { !$0.isStale } ?? false }
  }

  private init(checking name: String) throws(LabError) {
    let allowed = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || [0x2d, 0x2e, 0x5f].contains(byte)
    }
    guard allowed, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 48 else {
      throw LabError(
        .invalid, "\"\(name)\" is not a valid lab name: use 1 to 48 letters, digits, dots, dashes or underscores")
    }
    self.name = name
    path = LabDirectory.base + "/" + name
  }

  /// Refuses a base directory of another user.
  ///
  /// Every user can create directories in /tmp.
  private static func checkOwner() throws(LabError) {
    var status = stat()
    guard unsafe lstat(base, &status) == 0, status.st_uid == getuid(), status.st_mode & S_IFMT == S_IFDIR else {
      throw LabError(.refused, "\(base) is not a directory of this user; remove it or set XDG_RUNTIME_DIR")
    }
  }

  // MARK: Lifetime

  /// Marks the lab as running.
  ///
  /// QEMU inherits the lock, and the kernel releases it when QEMU exits for any reason.
  func lock() throws(LabError) -> Descriptor {
    let file = try Descriptor.open(path + "/alive", O_RDWR | O_CREAT, mode: 0o600)
    guard file.lock(wait: false) else { throw LabError.system("lock \(path)/alive") }
    return file
  }

  /// Whether the lab has ended: its lock file exists, but no process holds the lock.
  var isStale: Bool {
    guard let file = try? Descriptor.open(path + "/alive", O_RDWR) else { return false }
    return file.lock(wait: false)
  }

  /// Removes the directories of labs whose program was killed.
  private static func sweep() {
    for name in Files.list(base) {
      if let directory = try? LabDirectory(checking: name), directory.isStale { directory.remove() }
    }
  }

  func remove() {
    Files.remove(path)
  }

  // MARK: Content

  /// Reserves a free port until the returned descriptor is closed.
  func claimPort() throws(LabError) -> (number: Int, claim: Descriptor) {
    for number in 0..<QEMUCommand.portCount {
      let file = try Descriptor.open("\(path)/port\(number).lock", O_RDWR | O_CREAT, mode: 0o600)
      if file.lock(wait: false) { return (number, file) }
    }
    throw LabError(
      .refused, "all \(QEMUCommand.portCount) ports of the lab \(name) are in use; stop one of its programs")
  }

  /// Increments and returns a named counter, starting at 1.
  ///
  /// All programs that use the lab share it.
  func nextNumber(of name: String) throws(LabError) -> Int {
    let file = try Descriptor.open(path + "/\(name)", O_RDWR | O_CREAT, mode: 0o600)
    guard file.lock(wait: true) else { throw LabError.system("lock \(path)/\(name)") }
    var number = 0
    if case .bytes(let bytes) = file.read(32) { number = Int(String(decoding: bytes, as: UTF8.self)) ?? 0 }
    lseek(file.number, 0, SEEK_SET)
    try file.writeAll(Array("\(number + 1)".utf8), until: Deadline(in: .seconds(5)), to: "\(path)/\(name)")
    return number + 1
  }

  /// The process ID of the lab's QEMU.
  var processID: Int32? {
    (try? Files.text(path + "/pid")).flatMap { Int32($0) }
  }

  /// Returns the last lines of the guest's console, for error messages.
  func consoleTail(_ lines: Int = 15) -> String {
    let text = (try? Files.text(console)) ?? ""
    return lastLines(text, lines)
  }
}
