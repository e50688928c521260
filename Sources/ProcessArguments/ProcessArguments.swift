/// The words of the command line, from `main` itself.
///
/// Swift's `CommandLine.arguments` reads /proc/self/cmdline, and is empty in a chroot without /proc.
public enum ProcessArguments {
  /// Returns the words after the program's name; bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Parameters:
  ///   - count: `argc` of `main`.
  ///   - words: `argv` of `main`, at least `count` pointers.
  public static func read(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String] {
    (1..<max(1, Int(count))).compactMap { place in unsafe words[place].map { unsafe String(cString: $0) } }
  }

  /// Returns whether the program is called by this name, with or without a folder before it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - count: `argc` of `main`.
  ///   - words: `argv` of `main`, at least `count` pointers.
  public static func isCalled(
    _ name: String, _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Bool {
    guard count > 0, let own = unsafe words[0] else { return false }
    let path = Array((unsafe String(cString: own)).utf8)
    return path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...].elementsEqual(name.utf8)
  }
}
