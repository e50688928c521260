import Glibc

/// The validated requirements of a lab, before its QEMU starts.
struct LabPlan {
  private let options: LabOptions
  private let kernel: KernelImage
  private let agent: [String]

  init(_ options: LabOptions) throws(LabError) {
    try LabPlan.check(options)
    self.options = options
    _ = try HostTool.qemu.find()
    if let disk = options.disk { try LabDisk.make(at: disk) }
    kernel = try KernelImage.cached(series: options.kernel)
    let program = try LabPlan.agentProgram(options.agent)
    if case .debian = options.root {
      agent = try LabPlan.agentBelowHost(program)
    } else {
      agent = [program, "agent"]
    }
  }

  private static func check(_ options: LabOptions) throws(LabError) {
    if case .virtioGPU(let outputs, _) = options.card {
      guard (1...16).contains(outputs) else {
        throw LabError(.invalid, "virtio-gpu has 1 to 16 outputs, not \(outputs)")
      }
      guard options.monitors.keys.allSatisfy({ (0..<outputs).contains($0) }) else {
        throw LabError(.invalid, "a monitor was specified for an output that does not exist: the card has \(outputs)")
      }
    } else if !options.monitors.isEmpty {
      throw LabError(.invalid, "monitors can be specified only for virtio-gpu; the other cards have their own")
    }
    guard options.memory >= 256, options.processors >= 1 else {
      throw LabError(.invalid, "a lab needs at least 256 MiB of memory and one processor")
    }
  }

  /// Starts QEMU, halted before its first instruction.
  func startMachine(in directory: LabDirectory, detached: Bool) throws(LabError) -> Machine {
    let alive = try directory.lock()
    let ramDisk = directory.path + "/initrd"
    let initramfs = Initramfs(options: options, kernel: kernel, agent: agent)
    try Files.write(try initramfs.archive(), to: ramDisk, mode: 0o600)
    // QEMU inherits the listening sockets and the lock that marks the lab as running.
    var sockets = [try UnixSocket.listen(at: directory.qmpSocket)]
    for number in 0..<QEMUCommand.portCount {
      sockets.append(try UnixSocket.listen(at: directory.portSocket(number)))
    }
    // Use target numbers above all open descriptors. Otherwise a dup2 in the child could overwrite the source of the
    // next.
    let first = max(64, (sockets.map(\.number) + [alive.number]).max().map { $0 + 1 } ?? 64)
    let numbers = sockets.indices.map { first + Int32($0) }
    let command = QEMUCommand(
      options: options, name: directory.name, directory: directory.path, kernel: kernel, ramDisk: ramDisk,
      qmpDescriptor: first, portDescriptors: Array(numbers.dropFirst()))
    var descriptors = zip(sockets, numbers).map { (from: $0.number, to: $1) }
    descriptors.append((from: alive.number, to: first + Int32(sockets.count)))
    let machine = try Machine.start(
      command.arguments, descriptors: descriptors, log: directory.path + "/qemu.log", detached: detached)
    try Files.write(Array("\(machine.pid)".utf8), to: directory.path + "/pid")
    withExtendedLifetime((sockets, alive)) {}
    return machine
  }

  // MARK: Agent

  /// Returns the path of placard-lab: from the options, $PLACARD_LAB, next to the running program, or in PATH.
  static func agentProgram(_ given: String?) throws(LabError) -> String {
    let variable = unsafe getenv("PLACARD_LAB").map { unsafe String(cString: $0) }
    if let path = given ?? variable {
      guard Files.isExecutable(path) else { throw LabError(.missing, "\(path) is not an executable placard-lab") }
      return try realPath(path)
    }
    let own = try realPath("/proc/self/exe")
    let beside = Files.parentDirectory(own) + "/placard-lab"
    if Files.isExecutable(beside) { return beside }
    do throws(LabError) {
      return try realPath(try HostTool(name: "placard-lab", package: "placard").find())
    } catch {
      throw LabError(
        .missing,
        "placard-lab is neither next to \(own) nor in PATH; build it (swift build --product placard-lab) "
          + "or set PLACARD_LAB")
    }
  }

  /// Returns the agent's command line for a guest with the host's root at /host: the host's loader and libraries.
  private static func agentBelowHost(_ program: String) throws(LabError) -> [String] {
    guard let listing = try? HostTool.ldd.run([program]) else { return ["/host" + program, "agent"] }
    var loader: String?
    var directories: [String] = []
    for line in listing.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let word = words.first(where: { $0.hasPrefix("/") }) else { continue }
      let path = try realPath(String(word))
      let directory = "/host" + Files.parentDirectory(path)
      if !line.contains("=>") {
        loader = path
      } else if !directories.contains(directory) {
        directories.append(directory)
      }
    }
    guard let loader else { return ["/host" + program, "agent"] }
    return ["/host" + loader, "--library-path", directories.joined(separator: ":"), "/host" + program, "agent"]
  }

  private static func realPath(_ path: String) throws(LabError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw LabError.system("find \(path)") }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
