/// Where sessions, messages and history are kept over restarts.
public enum Storage: Hashable, Sendable {
  /// The service's state directory, or that of the user who starts it by hand.
  case usual
  /// Nowhere: what was there is forgotten when the service ends.
  case memory
  /// A file by its absolute path.
  case file(String)

  /// Reads `none` or an absolute path; nil for anything else.
  public init?(parsing text: String) {
    if text == "none" {
      self = .memory
    } else if text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0), text.utf8.count < 4096 {
      self = .file(text)
    } else {
      return nil
    }
  }
}
