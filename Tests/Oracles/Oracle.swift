import Glibc

/// A program of other authors, whose answers a test compares with ours.
public enum Oracle {
  /// Runs a shell command and returns the lines of its output; none if it cannot be run.
  public static func lines(_ command: String) -> [String] {
    guard let pipe = unsafe popen(command, "re") else { return [] }
    defer { unsafe pclose(pipe) }
    var output: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the shell expression for a Python that has a module: the tests may run with another one than Debian's, in
  /// which Debian's packages are.
  public static func python(with module: String) -> String {
    "$(for p in python3 /usr/bin/python3; do $p -c 'import \(module)' 2>/dev/null && echo $p && break; done)"
  }
}
