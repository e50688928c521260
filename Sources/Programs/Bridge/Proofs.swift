import Archive
import Control
import JSON

/// The history entries that were sent to the broker.
struct Proofs: Sendable {
  /// The history entries that were sent, with their beginnings and whether they have ended.
  private var known: [String: (began: Int64, hasEnded: Bool)] = [:]
  /// The keys of `known`, oldest first.
  private var order: [String] = []
  /// The parts of the history to read, in order.
  var queries: [HistoryQuery] = []
  /// The part that is being read; nil for none.
  var reading: HistoryQuery?

  /// The number of entries that are recognized if they are read again.
  private static let most = 4096
  /// The maximum number of queries that wait.
  static let mostQueries = 64
  /// How far back the history is read after a gap, before the last known entry, in milliseconds.
  ///
  /// A clock that was set back has given later entries earlier times.
  static let overlap: Int64 = 2 * 3_600_000

  /// The time from which the history is read after a gap; nil if nothing is known yet.
  var resumption: Int64? { known.values.map(\.began).max().map { $0 - Self.overlap } }

  /// Notes an entry that was read.
  ///
  /// - Parameter line: The entry.
  /// - Returns: Whether it is new or has ended since, and the changes to store.
  mutating func note(_ line: HistoryLine) -> (isUpdate: Bool, changes: [ArchiveChange]) {
    let hasEnded = line.ended != nil
    if let old = known[line.id] {
      guard hasEnded, !old.hasEnded else { return (false, []) }
    } else {
      order.append(line.id)
    }
    known[line.id] = (line.began.milliseconds, hasEnded)
    let json: JSONValue = ["began": .number("\(line.began.milliseconds)"), "ended": .bool(hasEnded)]
    var changes: [ArchiveChange] = [
      .put(kind: "proof", key: line.id, json: String(decoding: json.encoded, as: UTF8.self))
    ]
    if order.count > Self.most {
      let oldest = order.removeFirst()
      known[oldest] = nil
      changes.append(.remove(kind: "proof", key: oldest))
    }
    return (true, changes)
  }

  mutating func load(_ document: StoredDocument) {
    guard let json = try? JSONValue(parsing: document.json.utf8), let began = json["began"]?.integer else { return }
    known[document.key] = (Int64(began), json["ended"] == .bool(true))
    order.append(document.key)
  }
}

extension BridgeMachine {
  /// Reads what displays show around the time of an event, so that its entry is sent, and the one that it has ended.
  mutating func readProofs(at event: ControlEvent) {
    guard let date = event.date, !event.display.isEmpty else { return }
    // One query for everything takes the place of many that have no answer.
    guard proofs.queries.count < Proofs.mostQueries else { return readMissedProofs() }
    proofs.queries.append(
      HistoryQuery(since: date.milliseconds - 1, until: date.milliseconds + 1, display: event.display))
    readNextProofs()
  }

  /// Reads what displays have shown since the last entry that was sent.
  mutating func readMissedProofs() {
    proofs.queries = [HistoryQuery(since: proofs.resumption ?? moment.wall)]
    readNextProofs()
  }

  mutating func readNextProofs() {
    guard service == .open, proofs.reading == nil, let query = proofs.queries.first else { return }
    proofs.reading = query
    effects.append(.readHistory(query))
  }

  mutating func handleHistory(_ lines: [HistoryLine]?, of query: HistoryQuery) {
    if proofs.reading == query { proofs.reading = nil }
    // Without an answer, the query stays, and is sent again after the next state.
    guard let lines else { return }
    if proofs.queries.first == query { proofs.queries.removeFirst() }
    // Ends come before the beginnings that caused them.
    for line in lines.reversed() {
      let (isUpdate, changes) = proofs.note(line)
      guard isUpdate else { continue }
      self.changes += changes
      send(proof: line)
    }
    readNextProofs()
  }

  private mutating func send(proof line: HistoryLine) {
    guard case .object(let members)? = try? JSONValue(parsing: JSON.encode(line)) else { return }
    send("proof/\(outbox.nextNumber)", members)
  }
}
