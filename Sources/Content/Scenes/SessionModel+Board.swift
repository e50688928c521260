extension SessionModel {
  /// Replaces the controller's board.
  ///
  /// A card without an ID gets one. The session of an open card is updated with its card, and closed when the card is
  /// removed.
  ///
  /// - Parameter scene: A scene of kind `board`.
  /// - Throws: `SessionModelError.noBoard` or `SessionModelError.doubledCard`; the model is unchanged then.
  /// - Returns: The board with an ID on each card.
  @discardableResult
  package mutating func setBoard(_ scene: Scene) throws(SessionModelError) -> Scene {
    guard case .board(let drawn) = scene.content else { throw .noBoard(kind: scene.kind) }
    let named = try drawn.named()
    let before = cards
    board = Scene(.board(named), style: scene.style)
    let removed = (before?.ids ?? []).subtracting(named.ids)
    for session in sessions where session.card.map(removed.contains) ?? false { _ = try? close(session.id) }
    for session in sessions {
      guard let id = session.card, case .card = session.scene.content, let card = named.card(id),
        card != before?.card(id)
      else { continue }
      _ = try? edit(session.id, to: Scene(.card(card), style: session.scene.style))
    }
    return board
  }

  /// Returns the session of the card that a tag names, preferring one on a display; nil for any other tag.
  func openCard(_ tag: String?) -> Session? { onDisplaysLast.last { $0.card != nil && $0.tag == tag } }

  /// Closes all other sessions of a session's card, which an earlier version may have opened.
  mutating func closeDoubles(of session: Session) {
    for other in sessions where other.id != session.id && other.card != nil && other.tag == session.tag {
      _ = try? close(other.id)
    }
  }

  /// The content of the board.
  private var cards: Board? {
    if case .board(let board) = board.content { board } else { nil }
  }
}

extension Session {
  /// The ID of the board's card that the session shows; its tag is `card:` and the card's ID.
  package var card: String? {
    guard let tag, tag.hasPrefix("card:") else { return nil }
    return String(tag.dropFirst("card:".count))
  }
}

extension Board {
  /// The IDs of the cards.
  fileprivate var ids: Set<String> { Set(columns.flatMap(\.cards).compactMap(\.id)) }

  /// Returns the board with an ID on each card; missing IDs are derived from the titles.
  func named() throws(SessionModelError) -> Board {
    var taken: Set<String> = []
    for id in columns.flatMap(\.cards).compactMap(\.id) {
      guard taken.insert(id).inserted else { throw .doubledCard(id) }
    }
    var named = self
    for column in named.columns.indices {
      for place in named.columns[column].cards.indices where named.columns[column].cards[place].id == nil {
        let id = Board.freeID(like: named.columns[column].cards[place].title ?? "", taken)
        taken.insert(id)
        named.columns[column].cards[place].id = id
      }
    }
    return named
  }

  /// Returns a free ID derived from a title, such as `lift-2-is-back`, with a number appended if it is taken.
  private static func freeID(like title: String, _ taken: Set<String>) -> String {
    let start = String(String.UnicodeScalarView(title.unicodeScalars.prefix(200)))
    let words = start.lowercased().unicodeScalars.split {
      !($0.properties.isAlphabetic || $0.properties.numericType != nil)
    }
    var id = String.UnicodeScalarView()
    // Non-ASCII letters and digits are dropped: names do not allow them.
    for word in words.map({ $0.filter(\.isASCII) }) where !word.isEmpty && id.count < mostScalars {
      if !id.isEmpty { id.append("-") }
      id.append(contentsOf: word.prefix(mostScalars - id.count))
    }
    let stem = id.isEmpty ? "card" : String(id)
    var number = 1
    while taken.contains(number == 1 ? stem : "\(stem)-\(number)") { number += 1 }
    return number == 1 ? stem : "\(stem)-\(number)"
  }

  /// Enough characters to recognize a title.
  private static let mostScalars = 24
}

/// The persistent record of the board; there is only one.
struct BoardRecord {
  static let kind = "board"

  let board: Scene

  var record: Record {
    var fields = RecordFields()
    fields["scene"] = board.document
    return fields.record(Self.kind, "controller")
  }

  init(board: Scene) { self.board = board }

  init(_ fields: RecordFields) throws(RecordError) {
    var store = SessionModel()
    let scene = try fields.scene("scene")
    do throws(SessionModelError) { board = try store.setBoard(scene) } catch { throw RecordError(reason: "\(error)") }
  }
}
