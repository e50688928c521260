import Glibc

/// A program of the host that the lab uses, with its Debian package.
struct HostTool {
  let name: String
  let package: String

  static let qemu = HostTool(name: "qemu-system-x86_64", package: "qemu-system-x86")
  static let busybox = HostTool(name: "busybox", package: "busybox-static")
  static let depmod = HostTool(name: "depmod", package: "kmod")
  static let debootstrap = HostTool(name: "debootstrap", package: "debootstrap")
  static let mkfs = HostTool(name: "mkfs.ext4", package: "e2fsprogs")
  static let aptGet = HostTool(name: "apt-get", package: "apt")
  static let aptCache = HostTool(name: "apt-cache", package: "apt")
  static let dpkgDeb = HostTool(name: "dpkg-deb", package: "dpkg")
  static let setpriv = HostTool(name: "setpriv", package: "util-linux")
  static let xz = HostTool(name: "xz", package: "xz-utils")
  static let tar = HostTool(name: "tar", package: "tar")
  static let make = HostTool(name: "make", package: "make")
  static let gcc = HostTool(name: "gcc", package: "gcc")
  static let ldd = HostTool(name: "ldd", package: "libc-bin")

  static let unshare = HostTool(name: "unshare", package: "util-linux")
  static let env = HostTool(name: "env", package: "coreutils")
  static let du = HostTool(name: "du", package: "coreutils")
  static let aptConfig = HostTool(name: "apt-config", package: "apt")

  /// Returns the program's path, from PATH or the standard directories.
  func find() throws(LabError) -> String {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    for directory in path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin", "/usr/bin", "/bin"] {
      let candidate = directory + "/" + name
      if Files.isExecutable(candidate) { return candidate }
    }
    throw LabError(.missing, "\(name) is not installed; as root: apt-get install \(package)")
  }

  /// Runs the program until it exits, and returns its standard output.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - directory: The working directory, or nil for the current one.
  ///   - environment: Additional environment variables.
  /// - Throws: `LabError` with the last lines of its standard error, if the exit code is not 0.
  /// - Returns: The standard output.
  @discardableResult
  func run(_ arguments: [String], in directory: String? = nil, environment: [String: String] = [:]) throws(LabError)
    -> String
  {
    let program = try find()
    let output = try makeTemporaryFile()
    let errors = try makeTemporaryFile()
    let null = try Descriptor.open("/dev/null", O_RDONLY)
    var command = [program] + arguments
    if !environment.isEmpty {
      command =
        [try HostTool.env.find()] + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } + command
    }
    var spawn = Spawn(arguments: command, environment: nil, directory: directory)
    spawn.descriptors = [(null.number, 0), (output.number, 1), (errors.number, 2)]
    let status = waitForExit(try spawn.start())
    guard status.isSuccess else {
      let tail = lastLines(contents(of: errors), 8)
      throw LabError(.refused, "\(name) \(arguments.joined(separator: " ")): \(status)\n\(tail)")
    }
    return contents(of: output)
  }

  private func contents(of file: Descriptor) -> String {
    lseek(file.number, 0, SEEK_SET)
    var content: [UInt8] = []
    while case .bytes(let bytes) = file.read() { content += bytes }
    return String(decoding: content, as: UTF8.self)
  }
}

/// Returns $TMPDIR or /tmp.
func temporaryDirectory() -> String {
  unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
}

/// Returns the last `count` lines of a text.
func lastLines(_ text: String, _ count: Int) -> String {
  text.split(whereSeparator: \.isNewline).suffix(count).joined(separator: "\n")
}
