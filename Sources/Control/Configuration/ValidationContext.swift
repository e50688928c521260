/// The context in which a configuration is validated: the command line, which takes precedence, and the process.
package struct ValidationContext: Hashable, Sendable {
  /// Whether the command line specifies a token file.
  package var hasTokenFile: Bool
  /// Whether the command line specifies a listen address, so that the file's address is not used.
  package var isListenReplaced: Bool
  /// The lowest port on which the process may listen; 0 for no limit.
  package var firstPort: Int

  /// Creates facts; the defaults permit everything in the file.
  package init(hasTokenFile: Bool = false, isListenReplaced: Bool = false, firstPort: Int = 0) {
    self.hasTokenFile = hasTokenFile
    self.isListenReplaced = isListenReplaced
    self.firstPort = firstPort
  }
}
