import CLinux

/// The full command line: `placardd`, invoked as `placard`.
package enum FullProgram {
  /// The environment variable with the descriptor of a socket that holds an answer of the service.
  package static let variable = "PLACARD_ANSWERED"
  private static let name = "placardd"

  /// Replaces this process with the full program.
  ///
  /// - Parameters:
  ///   - count: `argc` of `main`, which is 0 if the caller passed no name (execve(2), before Linux 5.18).
  ///   - words: `argv` of `main`, at least `count` pointers.
  ///   - answer: The service's answer to this command, if it has arrived.
  /// - Returns: The exit status, only if the full program cannot be started.
  @unsafe package static func become(
    _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, answer: FastReply?
  ) -> Int32 {
    unsafe unsetenv(variable)
    if let answer { hand(over: answer) }
    var line = unsafe [strdup("placard")]
    for place in 1..<max(1, Int(count)) { unsafe line.append(words[place]) }
    unsafe line.append(nil)
    let folders = folders
    for folder in folders {
      unsafe execv(folder + name, &line)
      guard [ENOENT, ENOTDIR].contains(placard_errno()) else { return fail(folder + name, placard_errno()) }
    }
    unsafe execvp(name, &line)
    guard [ENOENT, ENOTDIR, EACCES].contains(placard_errno()) else { return fail(name, placard_errno()) }
    let folder = folders.first.map { $0.utf8.count > 1 ? String(decoding: $0.utf8.dropLast(), as: UTF8.self) : $0 }
    let place = "placard: \(name) is neither in " + (folder ?? "the directory of placard") + " nor in PATH. "
    FastRun.write(Array((place + "Install both programs in one directory.\n").utf8), to: STDERR_FILENO)
    return 1
  }

  private static func fail(_ path: String, _ error: Int32) -> Int32 {
    let reason = unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
    FastRun.write(Array(("placard: " + path + " cannot be started: " + reason + ".\n").utf8), to: STDERR_FILENO)
    return 1
  }

  /// The directories in which to look for the full program, each with a slash at the end.
  ///
  /// They come from /proc/self/exe and, in case /proc is not mounted, from AT_EXECFN (getauxval(3)).
  private static var folders: [String] {
    var link = [CChar](repeating: 0, count: 4096)
    let length = unsafe max(readlink("/proc/self/exe", &link, link.count), 0)
    var paths = [Array(link.prefix(length).map { UInt8(bitPattern: $0) })]
    if let started = unsafe UnsafePointer<CChar>(bitPattern: UInt(getauxval(UInt(AT_EXECFN)))) {
      unsafe paths.append((0..<strlen(started)).map { unsafe UInt8(bitPattern: started[Int($0)]) })
    }
    return paths.filter { !$0.isEmpty }.map { path in
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "./" }
      return String(decoding: path[...slash], as: UTF8.self)
    }
  }

  private static func hand(over answer: FastReply) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    let sent = unsafe answer.bytes.withUnsafeBytes {
      unsafe send(ends[0], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    // The first end stays open, so that the full program can write the request for this answer.
    if sent == answer.bytes.count { unsafe setenv(variable, "\(ends[1])", 1) }
  }
}
