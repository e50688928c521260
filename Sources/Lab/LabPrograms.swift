/// Programs and files of the guest.
extension Lab {
  /// Starts a program in the guest and returns at once. The program is found in the guest's PATH when it has no slash.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments; no shell is between.
  ///   - environment: NAME: value, over PATH, HOME=/root, USER, LANG=C.UTF-8 and TERM.
  ///   - directory: where it starts.
  ///   - input: its whole standard input; nil leaves it open for `GuestProcess.write` and `closeInput`.
  public func start(
    _ arguments: [String], environment: [String: String] = [:], directory: String = "/", input: [UInt8]? = []
  ) throws(LabError) -> GuestProcess {
    let command = GuestCommand(
      arguments: arguments, environment: environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
      directory: directory)
    let process = try programChannel().start(.run, command.encoded, name: "run " + arguments.joined(separator: " "))
    if let input {
      try process.write(input)
      try process.closeInput()
    }
    return process
  }

  /// Runs a program in the guest to its end. Parameters as of `start`; throws when it has not ended `within`.
  @discardableResult
  public func run(
    _ arguments: [String], environment: [String: String] = [:], directory: String = "/", input: [UInt8] = [],
    within: Duration = .seconds(60)
  ) throws(LabError) -> GuestProcess.Result {
    let process = try start(arguments, environment: environment, directory: directory, input: input)
    do throws(LabError) {
      return try process.wait(within: within)
    } catch {
      if error.kind == .timeout { try? process.kill(9) }
      throw error
    }
  }

  /// Runs a line of shell in the guest and returns its standard output; anything but exit code 0 is an error.
  @discardableResult
  public func shell(_ line: String, within: Duration = .seconds(60)) throws(LabError) -> String {
    let result = try run(["/bin/sh", "-c", line], within: within)
    guard result.status.isSuccess else {
      throw LabError(
        .refused, "in the guest: \(line): \(result.status)\n\(lastLines(result.output + result.errors, 12))")
    }
    return result.output
  }

  /// Makes the guest look at the host's files again. It keeps what it has seen of them, so that a program that was
  /// rebuilt on the host since would start in its old, or in no, shape.
  public func forgetHostFiles() throws(LabError) {
    // 2: names and inodes, with an inode's pages (kernel: Documentation/admin-guide/sysctl/vm.rst, drop_caches).
    // One pass spares what was used just now, and the overlay's names hold those of the host's share below them.
    for _ in 0..<4 { try put("2".utf8, to: "/proc/sys/vm/drop_caches") }
  }

  /// Writes a file of the guest, in place; directories that its path lacks are made. Up to 32768 bytes arrive in one
  /// write(2), as files of sysfs and debugfs want it.
  public func put(
    _ content: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o644, within: Duration = .seconds(60)
  ) throws(LabError) {
    var request = ByteWriter()
    request.append(mode)
    let job = try programChannel().start(.writeFile, request.bytes + Array(path.utf8), name: "write \(path)")
    try job.write(Array(content))
    try job.closeInput()
    _ = try job.wait(within: within)
  }

  /// Copies a file of the host into the guest, with the host's executable bit.
  public func put(file hostPath: String, to path: String, within: Duration = .seconds(60)) throws(LabError) {
    let mode: UInt32 = Files.isExecutable(hostPath) ? 0o755 : 0o644
    try put(try Files.read(hostPath), to: path, mode: mode, within: within)
  }

  /// Reads a file of the guest.
  public func get(_ path: String, within: Duration = .seconds(60)) throws(LabError) -> [UInt8] {
    let job = try programChannel().start(.readFile, Array(path.utf8), name: "read \(path)")
    return try job.wait(within: within).outputBytes
  }

  /// Reads a file of the guest as text, without white space at its end; what is no UTF-8 is replaced.
  public func text(_ path: String, within: Duration = .seconds(60)) throws(LabError) -> String {
    var text = String(decoding: try get(path, within: within), as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
