import CLinux

/// The full command line: `placardd` called by the name `placard`.
public enum FullProgram {
  /// Names the descriptor of a socket from which an answer of the service can be read.
  public static let variable = "PLACARD_ANSWERED"
  private static let name = "placardd"

  /// Replaces this process.
  ///
  /// - Parameters:
  ///   - words: `argv` of `main`, with a null pointer behind the last word.
  ///   - answer: The service's answer to this command, if there is one.
  /// - Returns: The exit status, only if the full program cannot be started.
  @unsafe public static func become(
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, answer: FastReply?
  ) -> Int32 {
    unsafe unsetenv(variable)
    if let answer { hand(over: answer) }
    guard let own = unsafe strdup("placard") else { return 1 }
    unsafe words[0] = own
    for path in paths { unsafe execv(path, words) }
    unsafe perror("placard: \(name) cannot be started from the directory of placard; install both there")
    return 1
  }

  /// The full program is beside this one. Without /proc the kernel's own record of the path is used (getauxval(3)).
  private static var paths: [String] {
    var link = [CChar](repeating: 0, count: 4096)
    let length = unsafe max(readlink("/proc/self/exe", &link, link.count), 0)
    var paths = [Array(link.prefix(length).map { UInt8(bitPattern: $0) })]
    if let started = unsafe UnsafePointer<CChar>(bitPattern: UInt(getauxval(UInt(AT_EXECFN)))) {
      unsafe paths.append((0..<strlen(started)).map { unsafe UInt8(bitPattern: started[Int($0)]) })
    }
    return paths.map { path in
      let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? []
      return String(decoding: folder, as: UTF8.self) + name
    }
  }

  private static func hand(over answer: FastReply) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    let sent = unsafe answer.bytes.withUnsafeBytes {
      unsafe send(ends[0], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    // The first end stays open, so that the full program can write the request that is answered.
    if sent == answer.bytes.count { unsafe setenv(variable, "\(ends[1])", 1) }
  }
}
