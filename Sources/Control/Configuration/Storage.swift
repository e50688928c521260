/// The storage of sessions, messages, and history across restarts.
package enum Storage: Hashable, Sendable {
  /// The state directory of the service, or of the user who starts the daemon manually.
  case usual
  /// Memory only: everything is lost when the daemon ends.
  case memory
  /// A file, by its absolute path.
  case file(String)

  /// Parses `none` or an absolute path; nil for other texts.
  package init?(parsing text: String) {
    if text == "none" {
      self = .memory
    } else if text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0), text.utf8.count < 4096 {
      self = .file(text)
    } else {
      return nil
    }
  }
}
