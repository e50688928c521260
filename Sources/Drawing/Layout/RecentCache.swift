/// A cache of the values that were used last.
struct RecentCache<Key: Equatable, Value> {
  private let most: Int
  private var entries: [(key: Key, value: Value)] = []

  /// Creates an empty cache.
  ///
  /// - Parameter most: The maximum number of entries. All are searched, so that it should be small.
  init(most: Int) { self.most = most }

  subscript(key: Key) -> Value? {
    mutating get {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: place))
      return entries.last?.value
    }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
      if entries.count > most { entries.removeFirst() }
    }
  }

  mutating func removeAll() { entries = [] }
}
