import CLinux

/// The result of the small program: an exit status, or a command for the full program.
package enum FastRun: Sendable {
  /// The command is finished, or the service did not answer in time.
  case done(status: Int32)
  /// The full program must run the command; it reuses an answer that has already arrived.
  case full(answer: FastReply?)

  /// Runs a command if it has a plain form.
  ///
  /// - Parameter words: The arguments after the program's name.
  /// - Returns: The next step of the process.
  package static func run(_ words: [String]) -> FastRun {
    guard let command = FastCommand.parse(words), let service = service(for: command) else { return .full(answer: nil) }
    var isSlow = false
    let outcome = FastExchange.run(command.request, service) {
      guard command.action == .show, command.waits, isatty(STDERR_FILENO) == 1 else { return }
      isSlow = true
      write(Array("\r\u{1b}[KWaiting until it is on screen ...".utf8), to: STDERR_FILENO)
    }
    if isSlow { write(Array("\r\u{1b}[K".utf8), to: STDERR_FILENO) }
    switch outcome {
    case .failed: return .full(answer: nil)
    case .late:
      write(service.timeoutMessage, to: STDERR_FILENO)
      return .done(status: 3)
    case .answered(let reply):
      let style = FastStyle.standard(environment: variable)
      guard let output = reply.output(of: command, on: style, now: FastClock.now) else { return .full(answer: reply) }
      let status = print(output.text)
      return .done(status: status == 0 ? output.status : status)
    }
  }

  private static func service(for command: FastCommand) -> FastService? {
    FastService.choose(
      for: command, environment: variable, user: geteuid(),
      isServiceUser: {
        guard let entry = unsafe getpwnam("placard") else { return false }
        return unsafe entry.pointee.pw_uid == geteuid()
      }, isThere: { unsafe access(FastService.system, F_OK) == 0 })
  }

  private static func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe (0..<strlen(value)).map { unsafe UInt8(bitPattern: value[Int($0)]) }
  }

  /// Writes to standard output and returns the exit status.
  private static func print(_ output: [UInt8]) -> Int32 {
    placard_ignore_broken_pipes()
    guard let error = write(output, to: STDOUT_FILENO) else { return 0 }
    // EPIPE means that the reader has exited, which needs no error message.
    guard error != EPIPE, let reason = unsafe strerror(error) else { return 1 }
    let line = "placard: Writing the output failed: " + (unsafe String(cString: reason)) + ".\n"
    write(Array(line.utf8), to: STDERR_FILENO)
    return 1
  }

  /// Writes all bytes and returns nil, or the error number on failure.
  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe CLinux.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || placard_errno() == EINTR else { return placard_errno() }
      rest = rest.dropFirst(max(count, 0))
    }
    return nil
  }
}
