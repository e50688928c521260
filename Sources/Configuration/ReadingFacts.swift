/// What a configuration is judged by besides its text: the command line, which goes before it, and the process.
public struct ReadingFacts: Hashable, Sendable {
  /// Whether the command line names a token file.
  public var hasTokenFile: Bool
  /// Whether the command line names where to listen, so that the file's address is not used.
  public var isListenReplaced: Bool
  /// The first port that the service may listen on; 0 for no limit.
  public var firstPort: Int

  /// Facts from their parts; what is left out permits what the file says.
  public init(hasTokenFile: Bool = false, isListenReplaced: Bool = false, firstPort: Int = 0) {
    self.hasTokenFile = hasTokenFile
    self.isListenReplaced = isListenReplaced
    self.firstPort = firstPort
  }
}
