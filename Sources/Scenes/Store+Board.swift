extension Store {
  /// Gives the controller another board. A card without an id gets one. The session of an open card changes with the
  /// card, and ends with it.
  ///
  /// - Returns: The board as it is now.
  /// - Throws: `StoreError.noBoard`, `.doubledCard`: nothing is changed then.
  @discardableResult
  public mutating func setBoard(_ scene: Scene) throws(StoreError) -> Scene {
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

  /// The session of the card that this tag names, the one on a display before those that wait; nil for any other tag.
  func openCard(_ tag: String?) -> Session? { onDisplaysLast.last { $0.card != nil && $0.tag == tag } }

  /// Ends the other sessions of a session's card, which an earlier version may have opened.
  mutating func closeDoubles(of session: Session) {
    for other in sessions where other.id != session.id && other.card != nil && other.tag == session.tag {
      _ = try? close(other.id)
    }
  }

  /// What is on the board.
  private var cards: Board? {
    if case .board(let board) = board.content { board } else { nil }
  }
}

extension Session {
  /// The card of the controller's board that it is opened from: its tag is `card:` and the card's id.
  public var card: String? {
    guard let tag, tag.hasPrefix("card:") else { return nil }
    return String(tag.dropFirst("card:".count))
  }
}

extension Board {
  /// The ids of its cards.
  fileprivate var ids: Set<String> { Set(columns.flatMap(\.cards).compactMap(\.id)) }

  /// The board with an id for each card: those that have none get one from their titles.
  func named() throws(StoreError) -> Board {
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

  /// `lift-2-is-back`, and with a number behind it where that is taken.
  private static func freeID(like title: String, _ taken: Set<String>) -> String {
    let start = String(String.UnicodeScalarView(title.unicodeScalars.prefix(200)))
    let words = start.lowercased().unicodeScalars.split {
      !($0.properties.isAlphabetic || $0.properties.numericType != nil)
    }
    var id = String.UnicodeScalarView()
    // Letters and digits that a name cannot have are left out.
    for word in words.map({ $0.filter(\.isASCII) }) where !word.isEmpty && id.count < mostScalars {
      if !id.isEmpty { id.append("-") }
      id.append(contentsOf: word.prefix(mostScalars - id.count))
    }
    let stem = id.isEmpty ? "card" : String(id)
    var number = 1
    while taken.contains(number == 1 ? stem : "\(stem)-\(number)") { number += 1 }
    return number == 1 ? stem : "\(stem)-\(number)"
  }

  /// Enough to recognise a title by.
  private static let mostScalars = 24
}

/// The board as it outlives the service: there is one.
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
    var store = Store()
    let scene = try fields.scene("scene")
    do throws(StoreError) { board = try store.setBoard(scene) } catch { throw RecordError(reason: "\(error)") }
  }
}
