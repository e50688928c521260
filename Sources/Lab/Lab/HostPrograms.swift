import CLinux
import Glibc

/// Programs on the host that use the guest, for example through `forwardSocket(_:)`.
extension Lab {
  /// Starts a program on the host and returns at once.
  ///
  /// Its end is reported when its output streams are closed, also by processes that it left behind.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments, without a shell.
  ///   - input: The complete standard input. `write` and `closeInput` throw.
  /// - Throws: `LabError` if the program cannot be started.
  /// - Returns: The process. It can outlive this program.
  public static func startOnHost(_ arguments: [String], input: [UInt8] = []) throws(LabError) -> LabProcess {
    let (stdin, stdout, stderr) = (try makePipe(), try makePipe(), try makePipe())
    var spawn = Spawn(arguments: arguments)
    spawn.descriptors = [(stdin.read.number, 0), (stdout.write.number, 1), (stderr.write.number, 2)]
    spawn.newSession = true
    let pid = try spawn.start()
    let exit = ObservableState<ExitStatus?>(nil)
    let process = LabProcess(job: 0, name: "run " + arguments.joined(separator: " ")) { frame throws(LabError) in
      var reader = ByteReader(frame.payload[...])
      guard frame.kind == .signal, let number = reader.next(Int32.self) else {
        throw LabError(.invalid, "the input of a program on the host is complete at its start")
      }
      // After the exit, another process may have the ID.
      exit.update { if $0 == nil { _ = Glibc.kill(-pid, number) } }
    }
    let readers = ObservableState(2)
    for (kind, pipe) in [(Frame.Kind.output, stdout.read), (.errorOutput, stderr.read)] {
      try startThread("lab-host-output") {
        while case .bytes(let bytes) = pipe.read() { process.handle(Frame(kind: kind, payload: bytes)) }
        readers.update { $0 -= 1 }
      }
    }
    let writer = stdin.write
    try startThread("lab-host-input") {
      // A program that does not read its input loses it.
      try? writer.writeAll(input, until: Deadline(in: .seconds(86400)), to: "the program")
    }
    try startThread("lab-host-exit") {
      // Do not reap the process before `exit` is set: its ID must not be reused while a signal may be sent.
      var state = unsafe siginfo_t()
      _ = unsafe waitid(P_PID, id_t(pid), &state, WEXITED | WNOWAIT)
      let status = exit.update { status in
        status = waitForExit(pid)
        return status ?? .exited(255)
      }
      _ = readers.wait(until: Deadline(in: .seconds(86400))) { $0 == 0 ? () : nil }
      process.handle(Frame(kind: .end, payload: GuestOutcome.ended(status).encoded))
    }
    return process
  }
}
