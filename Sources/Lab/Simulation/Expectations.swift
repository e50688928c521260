/// The changes that clients asked for, and what the service may therefore have kept.
struct Expectations {
  /// A thing that clients change.
  enum Key: Hashable, CustomStringConvertible {
    /// A message by its name.
    case message(String)
    /// The session of a monitor, by its identity.
    case session(String)
    /// A live value by its name.
    case value(String)

    var description: String {
      switch self {
      case .message(let name): "message \(name)"
      case .session(let monitor): "the session of \(monitor)"
      case .value(let name): "the value \(name)"
      }
    }
  }

  /// A change that a client asked for: the value can be that of the thing until a later change is acknowledged.
  private struct Change {
    var number: Int
    var value: String?
    var begin: Int
    /// The time of the answer or of the end of the process; nil until then.
    var end: Int?
  }

  private var changes: [Key: [Change]] = [:]
  private var count = 0
  /// The time, which increases with each beginning and end.
  private(set) var time = 0

  /// Notes that a client asks for a change.
  ///
  /// - Parameters:
  ///   - key: The thing.
  ///   - value: The new value; nil to remove the thing.
  /// - Returns: The number of the change.
  mutating func begin(_ key: Key, _ value: String?) -> Int {
    time += 1
    count += 1
    if changes[key] == nil { changes[key] = [Change(number: 0, value: nil, begin: 0, end: 0)] }
    changes[key]?.append(Change(number: count, value: value, begin: time, end: nil))
    return count
  }

  /// Notes that a change was acknowledged, so that what ended before it began is no longer possible.
  mutating func acknowledge(_ number: Int, of key: Key) {
    guard let own = end(number, of: key) else { return }
    changes[key]?.removeAll { other in other.number != number && (other.end ?? .max) < own.begin }
  }

  /// Notes that the answer to a change does not say whether it is kept.
  ///
  /// - Parameters:
  ///   - number: The number of the change.
  ///   - key: The thing.
  mutating func doubt(_ number: Int, of key: Key) { _ = end(number, of: key) }

  /// Notes a change of a thing that is known only now.
  ///
  /// - Parameters:
  ///   - key: The thing.
  ///   - value: The new value.
  ///   - begin: The time at which the client asked for it.
  ///   - isAcknowledged: Whether it is certain.
  mutating func add(_ key: Key, _ value: String?, since begin: Int, isAcknowledged: Bool) {
    let number = self.begin(key, value)
    if let index = changes[key]?.firstIndex(where: { $0.number == number }) { changes[key]?[index].begin = begin }
    if isAcknowledged { acknowledge(number, of: key) } else { doubt(number, of: key) }
  }

  /// Notes that the process ended.
  mutating func endAll() {
    time += 1
    for key in changes.keys {
      for index in changes[key]?.indices ?? 0..<0 where changes[key]?[index].end == nil {
        changes[key]?[index].end = time
      }
    }
  }

  /// Compares a thing with what may be there.
  ///
  /// A change without an answer stays possible after it was found, because it may not have reached the disk: the next
  /// power cut can still lose it.
  ///
  /// - Parameters:
  ///   - value: The value of the thing; nil if it is not there.
  ///   - key: The thing.
  ///   - others: Values that it may have besides.
  /// - Returns: The violation; nil if the value is possible.
  func violation(_ value: String?, of key: Key, orAnyOf others: Set<String>) -> String? {
    guard let possible = changes[key] else { return nil }
    if possible.contains(where: { $0.value == value }) || value.map(others.contains) ?? false { return nil }
    let values = possible.map { $0.value ?? "nothing" }.joined(separator: " or ")
    return "an acknowledged change is lost: \(key) is \(value ?? "gone"), and may be \(values)"
  }

  /// All things that were changed.
  var keys: [Key] { changes.keys.sorted { "\($0)" < "\($1)" } }

  private mutating func end(_ number: Int, of key: Key) -> Change? {
    time += 1
    guard let index = changes[key]?.firstIndex(where: { $0.number == number }) else { return nil }
    changes[key]?[index].end = time
    return changes[key]?[index]
  }
}
