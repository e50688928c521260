/// Programs and files of the guest.
extension Lab {
  /// Starts a program in the guest and returns at once.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments, without a shell. A name without a slash is looked up in the guest's
  ///     PATH.
  ///   - environment: Additional variables, over PATH, HOME=/root, USER, LANG=C.UTF-8 and TERM.
  ///   - directory: The working directory.
  ///   - input: The complete standard input. Nil leaves it open for `LabProcess.write` and `closeInput`.
  /// - Throws: `LabError` if the request cannot be sent. A failure to start the program is thrown by
  ///   `LabProcess.wait`.
  /// - Returns: The process.
  public func start(
    _ arguments: [String], environment: [String: String] = [:], directory: String = "/", input: [UInt8]? = []
  ) throws(LabError) -> LabProcess {
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

  /// Runs a program in the guest until it exits.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments, as for `start`.
  ///   - environment: Additional variables, as for `start`.
  ///   - directory: The working directory.
  ///   - input: The complete standard input.
  ///   - within: The time limit. After it, the program is killed.
  /// - Throws: `LabError` if the program cannot be started or does not exit in time.
  /// - Returns: The exit status, which may be a failure, and the output.
  @discardableResult
  public func run(
    _ arguments: [String], environment: [String: String] = [:], directory: String = "/", input: [UInt8] = [],
    within: Duration = .generous
  ) throws(LabError) -> LabProcess.Result {
    let process = try start(arguments, environment: environment, directory: directory, input: input)
    do throws(LabError) {
      return try process.wait(within: within)
    } catch {
      if error.kind == .timeout { try? process.kill(9) }
      throw error
    }
  }

  /// Runs a shell command in the guest.
  ///
  /// - Parameters:
  ///   - line: The command for /bin/sh.
  ///   - within: The time limit.
  /// - Throws: `LabError` if the exit code is not 0.
  /// - Returns: The standard output.
  @discardableResult
  public func shell(_ line: String, within: Duration = .generous) throws(LabError) -> String {
    let result = try run(["/bin/sh", "-c", line], within: within)
    guard result.status.isSuccess else {
      throw LabError(
        .refused, "in the guest: \(line): \(result.status)\n\(lastLines(result.output + result.errors, 12))")
    }
    return result.output
  }

  /// Drops the guest's cache of the host's files.
  ///
  /// Without it, a program that was rebuilt on the host since could start in its old version, or fail to start.
  ///
  /// - Throws: `LabError` if the guest refuses the request.
  public func dropHostFileCache() throws(LabError) {
    // 2 drops dentries and inodes, with the inodes' pages (kernel: Documentation/admin-guide/sysctl/vm.rst,
    // drop_caches). One pass spares recently used entries, and the overlay's dentries pin those of the host's share
    // below them.
    for _ in 0..<4 { try put("2".utf8, to: "/proc/sys/vm/drop_caches") }
  }

  /// Writes a file of the guest in place, and creates missing directories of its path.
  ///
  /// - Parameters:
  ///   - content: The content. Up to 32768 bytes arrive in a single write(2), as sysfs and debugfs require.
  ///   - path: The file in the guest.
  ///   - mode: The permission bits.
  ///   - within: The time limit.
  /// - Throws: `LabError` if the file cannot be written.
  public func put(
    _ content: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o644, within: Duration = .generous
  ) throws(LabError) {
    var request = ByteWriter()
    request.append(mode)
    let job = try programChannel().start(.writeFile, request.bytes + Array(path.utf8), name: "write \(path)")
    try job.write(Array(content))
    try job.closeInput()
    _ = try job.wait(within: within)
  }

  /// Copies a file of the host into the guest, with its executable bit.
  public func put(file hostPath: String, to path: String, within: Duration = .generous) throws(LabError) {
    let mode: UInt32 = Files.isExecutable(hostPath) ? 0o755 : 0o644
    try put(try Files.read(hostPath), to: path, mode: mode, within: within)
  }

  /// Returns the content of a file of the guest.
  public func get(_ path: String, within: Duration = .generous) throws(LabError) -> [UInt8] {
    let job = try programChannel().start(.readFile, Array(path.utf8), name: "read \(path)")
    return try job.wait(within: within).outputBytes
  }

  /// Returns the text of a file of the guest.
  ///
  /// Invalid UTF-8 is replaced.
  ///
  /// - Parameters:
  ///   - path: The file in the guest.
  ///   - within: The time limit.
  /// - Throws: `LabError` if the file cannot be read.
  /// - Returns: The text, without trailing white space.
  public func text(_ path: String, within: Duration = .generous) throws(LabError) -> String {
    var text = String(decoding: try get(path, within: within), as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
