/// The context in which a configuration is validated: the command line, which takes precedence, and the process.
package struct ValidationContext: Sendable {
  /// Whether the command line specifies a token file.
  package var hasTokenFile: Bool
  /// Whether the command line specifies a listen address, so that the file's address is not used.
  package var isListenReplaced: Bool
  /// Returns the lowest port on which the process may listen; 0 for no limit. It is called only for an address to listen on.
  package var firstPort: @Sendable () -> Int

  /// Creates facts; the defaults permit everything in the file.
  package init(
    hasTokenFile: Bool = false, isListenReplaced: Bool = false,
    firstPort: @autoclosure @escaping @Sendable () -> Int = 0
  ) {
    self.hasTokenFile = hasTokenFile
    self.isListenReplaced = isListenReplaced
    self.firstPort = firstPort
  }
}
