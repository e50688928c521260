extension String {
  /// The maximum number of `Character`s in an event's detail.
  static let mostEventCharacters = 80
  /// The maximum number of UTF-8 bytes in an event's detail: a `Character` can have any number of combining marks.
  static let mostEventBytes = 640

  /// The text in one line, truncated between two `Character`s if it is longer than an event allows.
  ///
  /// Control characters and line breaks become spaces. No more of the text is read than is kept.
  var eventSummary: String {
    // Most details are short ASCII texts, which stay as they are.
    if utf8.count <= Self.mostEventCharacters, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    var summary = ""
    var (count, bytes) = (0, 0)
    for character in self {
      let shown = character.isEventSpace ? " " : character
      bytes += shown.utf8.count
      count += 1
      guard count <= Self.mostEventCharacters, bytes <= Self.mostEventBytes else { return summary.cut }
      summary.append(shown)
    }
    return summary
  }

  /// The text with an ellipsis after it, in place of trailing `Character`s where they leave no room.
  private var cut: String {
    var rest = self
    let ellipsis: Character = "…"
    while rest.count >= Self.mostEventCharacters || rest.utf8.count > Self.mostEventBytes - ellipsis.utf8.count {
      rest.removeLast()
    }
    return rest + String(ellipsis)
  }
}

extension Character {
  /// Whether the `Character` is a line break or begins with a control character.
  fileprivate var isEventSpace: Bool {
    isNewline || unicodeScalars.first?.properties.generalCategory == .control
  }
}
