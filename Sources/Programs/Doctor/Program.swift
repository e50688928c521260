import CLinux
import Glibc

/// A runner for helper programs such as systemctl and fc-match, with a timeout.
enum Program {
  /// Runs a program and captures its standard output.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in PATH, and its arguments.
  ///   - seconds: The time limit for the program's output.
  /// - Returns: The output, or nil if the program does not exist, fails, exceeds the limit, or prints 64 KiB or more.
  static func output(of arguments: [String], seconds: Int32 = 3) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let started = start(arguments, output: ends[1])
    close(ends[1])
    guard let pid = started else { return nil }
    let text = read(ends[0], seconds)
    // The output has not ended, so the program is unlikely to exit by itself.
    if text == nil { kill(pid, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? text : nil
  }

  private static func start(_ arguments: [String], output: Int32) -> pid_t? {
    guard let program = arguments.first else { return nil }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var words = unsafe arguments.map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    var pid: pid_t = 0
    let code = unsafe posix_spawnp(&pid, program, &actions, nil, words, environ)
    return code == 0 ? pid : nil
  }

  /// Reads until the end of the stream, or returns nil after the timeout or at 64 KiB.
  private static func read(_ descriptor: Int32, _ seconds: Int32) -> String? {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 16 {
      let left = Int32(clamping: ContinuousClock.now.duration(to: end).components.seconds * 1000)
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&wait, 1, max(left, 0) + 1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0, errno != EINTR { return nil }
      bytes.append(contentsOf: chunk.prefix(max(count, 0)))
    }
    return nil
  }
}
