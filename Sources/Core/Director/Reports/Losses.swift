import JSON
import Scenes

/// The losses that no user has acknowledged, and the acknowledged ones that last: oldest first, each once.
struct Losses: Equatable {
  /// The maximum number of losses. The oldest acknowledged one is removed for a new one, or the oldest of all if none
  /// is acknowledged.
  static let most = 50

  /// All losses, including the acknowledged ones.
  private(set) var all: [Loss] = []
  private var lastID = 0

  /// Creates an empty list.
  init() {}

  /// Reads the losses of the last run.
  ///
  /// - Parameter records: Records of any kinds. Those of losses that cannot be read are skipped.
  init(_ records: [Record]) {
    let stored = records.compactMap { Loss($0) }.sorted { ($0.id, $0.since) < ($1.id, $1.since) }
    all = Array(stored.suffix(Self.most))
    // A service that could not read its records at the start numbers its losses from 1 again.
    for index in all.indices {
      all[index].id = max(all[index].id, lastID + 1)
      lastID = all[index].id
    }
  }

  /// The losses that no user has acknowledged.
  var open: [Loss] { all.filter { !$0.isAcknowledged } }

  /// Begins a run of the service.
  ///
  /// Losses that were acknowledged in the last run are removed, so that they are reported again if they still last.
  /// Only a record that is still unreadable stays acknowledged: a restart does not repair it.
  ///
  /// - Parameters:
  ///   - leftOut: The records that were left out at the start, a sentence for each.
  ///   - now: The time in milliseconds since 1970.
  mutating func begin(leftOut: [String], at now: Int64) {
    all.removeAll { $0.isAcknowledged && !($0.cause == .unreadableRecord && leftOut.contains($0.object)) }
    for words in leftOut {
      let text = "\(words); its record stays in the database, so send or open it again"
      record(Loss(.unreadableRecord, of: words, text), at: now)
    }
  }

  /// Records a loss. A known lasting loss keeps its time, and stays acknowledged.
  ///
  /// - Parameters:
  ///   - loss: The loss.
  ///   - now: The time in milliseconds since 1970.
  mutating func record(_ loss: Loss, at now: Int64) {
    if let known = all.firstIndex(where: loss.isSame) {
      guard !loss.cause.isLasting else {
        all[known].text = loss.text
        return
      }
      all.remove(at: known)
    }
    if all.count >= Self.most { all.remove(at: all.firstIndex(where: \.isAcknowledged) ?? 0) }
    lastID += 1
    var new = loss
    (new.id, new.since, new.isAcknowledged) = (lastID, now, false)
    all.append(new)
  }

  /// Removes a loss that was repaired, acknowledged or not.
  ///
  /// - Parameters:
  ///   - cause: The kind of loss.
  ///   - object: The lost object.
  mutating func resolve(_ cause: Loss.Cause, of object: String) {
    all.removeAll { $0.cause == cause && $0.object == object }
  }

  /// Acknowledges a loss.
  ///
  /// - Parameter id: The loss's number.
  /// - Returns: The loss; nil if no unacknowledged loss has this number.
  mutating func acknowledge(_ id: Int) -> Loss? {
    guard let index = all.firstIndex(where: { $0.id == id && !$0.isAcknowledged }) else { return nil }
    let loss = all[index]
    if loss.cause.isLasting { all[index].isAcknowledged = true } else { all.remove(at: index) }
    return loss
  }

  /// Returns the changes from the records of some losses to those of others.
  ///
  /// - Parameters:
  ///   - old: The losses that are stored.
  ///   - new: The losses to store.
  /// - Returns: The changes of records.
  static func changes(from old: Losses, to new: Losses) -> [RecordChange] {
    new.all.filter { !old.all.contains($0) }.map { .put($0.record) }
      + old.all.filter { loss in !new.all.contains(where: loss.isSame) }.map { .remove(kind: Loss.kind, key: $0.key) }
  }
}

/// The record of a loss. Its key consists of the cause and the object, so a loss has one record even if a service could
/// not read the records of the last run.
extension Loss {
  fileprivate static let kind = "loss"
  private static let version = 1

  fileprivate var key: String { object.isEmpty ? cause.rawValue : "\(cause.rawValue) \(object)" }

  fileprivate var record: Record {
    let document = JSONValue.object([
      "v": .number("\(Self.version)"), "id": .number("\(id)"), "cause": .string(cause.rawValue),
      "object": .string(object), "text": .string(text), "since": .number("\(since)"),
      "acknowledged": .bool(isAcknowledged),
    ])
    return Record(kind: Self.kind, key: key, json: String(decoding: document.encoded, as: UTF8.self))
  }

  fileprivate init?(_ record: Record) {
    guard record.kind == Self.kind, case .object(let members)? = try? JSONValue(parsing: record.json.utf8),
      members["v"]?.integer == Self.version, let cause = members["cause"]?.text.flatMap(Cause.init(rawValue:)),
      let object = members["object"]?.text, let text = members["text"]?.text,
      let id = members["id"]?.integer, (1...Int(Int32.max)).contains(id), let since = members["since"]?.integer
    else { return nil }
    self.init(cause, of: object, text)
    (self.id, self.since) = (id, Int64(since))
    isAcknowledged = members["acknowledged"] == .bool(true)
  }
}
