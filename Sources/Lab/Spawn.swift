import CLinux
import Glibc

/// A program to start: on the host by the lab, in the guest by the agent.
struct Spawn {
  /// The program, found in PATH when it has no slash, and its arguments.
  var arguments: [String]
  /// NAME=value each; nil passes on this process's own.
  var environment: [String]?
  /// Where it starts; nil stays here.
  var directory: String?
  /// Which descriptor it gets under which number; all others are closed in it.
  var descriptors: [(from: Int32, to: Int32)] = []
  /// A session and process group of its own, without a terminal.
  var newSession = false

  /// Starts it and returns its process id, which the caller must wait for.
  func start() throws(LabError) -> pid_t {
    guard let program = arguments.first else { throw LabError(.invalid, "no program was given to start") }
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
    // Closing a number that is not open is no error here (glibc: sysdeps/unix/sysv/linux/spawni.c).
    for number in 3..<max(highest, 3) where !targets.contains(number) {
      unsafe posix_spawn_file_actions_addclose(actions, number)
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(actions, highest + 1)
  }

  /// Signals as a fresh program expects them: none blocked, all default (threads of the lab block all).
  private func prepare(_ attributes: UnsafeMutablePointer<posix_spawnattr_t>) {
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(attributes, &none)
    unsafe posix_spawnattr_setsigdefault(attributes, &all)
    // POSIX_SPAWN_SETSID is 0x80 since glibc 2.26; the macro needs _GNU_SOURCE.
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | (newSession ? 0x80 : 0)
    unsafe posix_spawnattr_setflags(attributes, flags)
  }
}

/// Calls `body` with the strings as a NULL-terminated array of C strings that lives as long as the call.
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

/// How a process ended.
public enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  /// It returned this code.
  case exited(Int32)
  /// This signal ended it.
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  /// Whether it returned 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// "exit code 1" or "signal 9".
  public var description: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .signalled(let number): "signal \(number)"
    }
  }
}

/// Waits for a child of this process.
func waitForExit(_ pid: pid_t) -> ExitStatus {
  var status: Int32 = 0
  while unsafe waitpid(pid, &status, 0) < 0 {
    guard errno == EINTR else { return .exited(255) }
  }
  return ExitStatus(waitStatus: status)
}
