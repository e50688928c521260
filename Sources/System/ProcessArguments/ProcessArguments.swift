/// The command-line arguments that `main` received.
///
/// Swift's `CommandLine.arguments` reads /proc/self/cmdline and is empty in a chroot without /proc.
package enum ProcessArguments {
  /// Returns the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - count: `argc` of `main`.
  ///   - words: `argv` of `main`, at least `count` pointers.
  /// - Returns: The arguments, with U+FFFD for bytes that are not UTF-8.
  package static func read(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String] {
    (1..<max(1, Int(count))).compactMap { place in unsafe words[place].map { unsafe String(cString: $0) } }
  }

  /// Returns whether the program was invoked under a name, in any directory.
  ///
  /// - Parameters:
  ///   - name: The name without a directory.
  ///   - count: `argc` of `main`.
  ///   - words: `argv` of `main`, at least `count` pointers.
  /// - Returns: False if `argv` is empty.
  package static func isInvoked(
    _ name: String, _ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Bool {
    guard count > 0, let own = unsafe words[0] else { return false }
    let path = Array((unsafe String(cString: own)).utf8)
    return path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...].elementsEqual(name.utf8)
  }
}
