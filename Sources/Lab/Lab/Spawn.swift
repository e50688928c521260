import CLinux
import Glibc

/// A program to start: on the host by the lab, or in the guest by the agent.
struct Spawn {
  /// The program and its arguments.
  ///
  /// A name without a slash is looked up in PATH.
  var arguments: [String]
  /// The environment as NAME=value, or nil to inherit this process's environment.
  var environment: [String]?
  /// The working directory, or nil for the current one.
  var directory: String?
  /// The descriptors that the program inherits, with their new numbers.
  ///
  /// All others are closed.
  var descriptors: [(from: Int32, to: Int32)] = []
  /// Whether the program gets a new session and process group, without a terminal.
  var newSession = false

  /// Starts the program and returns its process ID, which the caller must wait for.
  func start() throws(LabError) -> pid_t {
    guard let program = arguments.first else { throw LabError(.invalid, "no program was specified") }
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe prepare(&actions)
    unsafe prepare(&attributes)
    var pid: pid_t = 0
    let code = unsafe withCStrings(arguments) { argv in
      guard let environment else { return unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, environ) }
      return unsafe withCStrings(environment) { envp in
        unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else { throw LabError.system("start \(program)", code: code) }
    return pid
  }

  private func prepare(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
    if let directory { unsafe posix_spawn_file_actions_addchdir_np(actions, directory) }
    for (from, to) in descriptors { unsafe posix_spawn_file_actions_adddup2(actions, from, to) }
    let targets = descriptors.map(\.to)
    let highest = max(targets.max() ?? 2, 2)
    // Closing a descriptor that is not open is not an error here (glibc: sysdeps/unix/sysv/linux/spawni.c).
    for number in 3..<max(highest, 3) where !targets.contains(number) {
      unsafe posix_spawn_file_actions_addclose(actions, number)
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(actions, highest + 1)
  }

  /// Resets the signals: none blocked, all handlers at their default.
  ///
  /// The lab's threads block all signals.
  private func prepare(_ attributes: UnsafeMutablePointer<posix_spawnattr_t>) {
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(attributes, &none)
    unsafe posix_spawnattr_setsigdefault(attributes, &all)
    // POSIX_SPAWN_SETSID is 0x80 since glibc 2.26. The macro requires _GNU_SOURCE.
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | (newSession ? 0x80 : 0)
    unsafe posix_spawnattr_setflags(attributes, flags)
  }
}

/// Calls `body` with the strings as a NULL-terminated array of C strings, which is valid during the call.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
  for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
  unsafe pointers[strings.count] = nil
  defer {
    for index in strings.indices { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
  return unsafe body(pointers)
}

/// The exit status of a process.
public enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  /// The process exited with this code.
  case exited(Int32)
  /// The process was killed by this signal.
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  /// Whether the process exited with code 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// The status as text, such as "exit code 1" or "signal 9".
  public var description: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .signalled(let number): "signal \(number)"
    }
  }
}

/// Waits for the exit of a child process.
func waitForExit(_ pid: pid_t) -> ExitStatus {
  var status: Int32 = 0
  while unsafe waitpid(pid, &status, 0) < 0 {
    guard errno == EINTR else { return .exited(255) }
  }
  return ExitStatus(waitStatus: status)
}
