import CLinux
import Glibc

/// The QEMU process of a lab.
final class Machine: Sendable {
  let pid: pid_t
  private let end = ObservableState<ExitStatus?>(nil)

  private init(pid: pid_t) {
    self.pid = pid
  }

  /// Starts QEMU.
  ///
  /// Unless `detached` is set, the kernel kills it when this process ends for any reason. PR_SET_PDEATHSIG takes effect
  /// when the parent thread ends, not the parent process (prctl(2)). Therefore the thread that starts QEMU stays alive
  /// to wait for its exit.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of QEMU.
  ///   - descriptors: The descriptors that QEMU inherits, with their numbers in QEMU.
  ///   - log: The file for QEMU's standard output and standard error.
  ///   - detached: Whether QEMU outlives this process.
  /// - Throws: `LabError` if QEMU cannot be started.
  /// - Returns: The running QEMU.
  static func start(
    _ arguments: [String], descriptors: [(from: Int32, to: Int32)], log: String, detached: Bool
  ) throws(LabError) -> Machine {
    var command = [try HostTool.qemu.find()] + arguments
    if !detached { command = [try HostTool.setpriv.find(), "--pdeathsig", "KILL", "--"] + command }
    let null = try Descriptor.open("/dev/null", O_RDONLY)
    let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_TRUNC)
    var spawn = Spawn(arguments: command)
    spawn.descriptors = descriptors + [(null.number, 0), (output.number, 1), (output.number, 2)]
    spawn.newSession = true
    let started = ObservableState<Result<Machine, LabError>?>(nil)
    let plan = spawn
    try startThread("lab-qemu") {
      do throws(LabError) {
        let machine = Machine(pid: try plan.start())
        started.update { $0 = .success(machine) }
        let status = waitForExit(machine.pid)
        machine.end.update { $0 = status }
      } catch {
        started.update { $0 = .failure(error) }
      }
    }
    let result = started.wait(until: Deadline(in: .seconds(60))) { $0 }
    withExtendedLifetime((null, output)) {}
    guard let result else { throw LabError(.timeout, "QEMU did not start within 60 s") }
    return try result.get()
  }

  /// QEMU's exit status, or nil while it runs.
  var status: ExitStatus? { end.update { $0 } }

  /// Waits for QEMU's exit, and returns whether it happened in time.
  func waitForEnd(within: Duration) -> Bool {
    end.wait(until: Deadline(in: within)) { $0 } != nil
  }

  func kill() {
    if status == nil { Glibc.kill(pid, SIGKILL) }
  }
}
