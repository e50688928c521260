extension String {
  /// Most Characters of an event's detail.
  static let mostEventCharacters = 80
  /// Most UTF-8 bytes of an event's detail: one Character can have any number of combining marks.
  static let mostEventBytes = 640

  /// The text in one line, cut between two Characters where it is longer than an event carries. Control characters and
  /// line breaks become spaces. Reads no more of the text than it keeps.
  var eventSummary: String {
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

  /// The text with an ellipsis in place of its last Character, or after it where there is room.
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
  /// Whether the Character is a line break or begins with a control character.
  fileprivate var isEventSpace: Bool {
    isNewline || unicodeScalars.first?.properties.generalCategory == .control
  }
}
