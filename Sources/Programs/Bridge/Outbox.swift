import Archive
import JSON

/// The messages that must reach the broker, in order.
struct Outbox: Sendable {
  /// A message.
  struct Entry: Hashable, Sendable {
    /// The number of the message, which increases.
    var number: Int
    /// The topic below the box's own.
    var topic: String
    /// The content.
    var payload: String
    /// The number of the store that has it on disk; nil if it was read from there.
    var store: Int?

    /// The key of its document, in the order of numbers.
    var key: String { Outbox.key(number) }
  }

  private let limit: Int
  private var entries: [Entry] = []
  /// The number of entries at the beginning that were published.
  private var published = 0
  private var lastNumber = 0
  private var lastStored = 0
  /// The number of messages that were dropped because the queue was full.
  private(set) var dropped = 0

  /// The maximum number of messages that the broker has not acknowledged.
  private static let window = 20

  init(limit: Int) { self.limit = limit }

  /// The number of messages that wait.
  var count: Int { entries.count }

  private static func key(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
  }

  /// Adds a message; the oldest is dropped if the queue is full.
  ///
  /// - Parameters:
  ///   - topic: The topic below the box's own.
  ///   - payload: The content.
  /// - Returns: The changes to store.
  mutating func append(_ topic: String, _ payload: String) -> [ArchiveChange] {
    lastNumber += 1
    var changes: [ArchiveChange] = []
    if entries.count >= limit, let oldest = entries.first {
      entries.removeFirst()
      published = max(0, published - 1)
      dropped += 1
      changes.append(.remove(kind: "outbox", key: oldest.key))
    }
    // `note` sets the number of the store.
    entries.append(Entry(number: lastNumber, topic: topic, payload: payload, store: .max))
    let json: JSONValue = ["topic": .string(topic), "payload": .string(payload)]
    changes.append(
      .put(kind: "outbox", key: Self.key(lastNumber), json: String(decoding: json.encoded, as: UTF8.self)))
    // The number survives an empty queue, so that a receiver recognizes repeated messages by it.
    let fact: JSONValue = ["last": .number("\(lastNumber)"), "dropped": .number("\(dropped)")]
    changes.append(.put(kind: "fact", key: "outbox", json: String(decoding: fact.encoded, as: UTF8.self)))
    return changes
  }

  /// The number that the next message will have.
  var nextNumber: Int { lastNumber + 1 }

  /// Notes the store of the entries that were added since the last call.
  mutating func note(store number: Int) {
    var place = entries.count
    while place > 0, entries[place - 1].store == .max {
      place -= 1
      entries[place].store = number
    }
  }

  /// Notes that a store and all before it are done.
  mutating func stored(_ number: Int) { lastStored = max(lastStored, number) }

  /// Returns the next message to publish; nil if it is not stored yet, or too many are unacknowledged.
  mutating func next() -> Entry? {
    guard published < min(entries.count, Self.window) else { return nil }
    let entry = entries[published]
    if let store = entry.store, store > lastStored { return nil }
    published += 1
    return entry
  }

  /// Removes a message after its acknowledgment; returns nil if it was dropped or acknowledged before.
  mutating func acknowledge(_ number: Int) -> Entry? {
    guard let place = entries.prefix(published).firstIndex(where: { $0.number == number }) else { return nil }
    published -= 1
    return entries.remove(at: place)
  }

  /// Whether a published message is not acknowledged yet.
  var isUnacknowledged: Bool { published > 0 }

  /// Notes a new connection, on which all messages are published again.
  mutating func restart() { published = 0 }

  /// Adds a stored message; the documents come in the order of their keys.
  mutating func load(_ document: StoredDocument) {
    guard let number = Int(document.key), let json = try? JSONValue(parsing: document.json.utf8),
      let topic = json["topic"]?.text, let payload = json["payload"]?.text
    else { return }
    entries.append(Entry(number: number, topic: topic, payload: payload))
    lastNumber = max(lastNumber, number)
  }

  /// Reads the stored counters.
  mutating func load(fact: JSONValue) {
    lastNumber = max(lastNumber, fact["last"]?.integer ?? 0)
    dropped = fact["dropped"]?.integer ?? 0
  }
}
