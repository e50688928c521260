/// A place in a list: the number of items before it, and the key of the last of these, which finds the place again where
/// items were added or removed in between.
public struct ListPlace: Hashable, Sendable {
  /// The number of items before the place.
  public var count: Int
  /// The key of the item before the place; empty where nothing names it.
  public var key: String

  /// A place from its parts.
  public init(count: Int, key: String) {
    self.count = count
    self.key = key
  }
}

/// Some items of a list, in a row.
public struct ListPart<Item: Sendable>: Sendable {
  /// The number of items before these.
  public var first: Int
  /// The items.
  public var items: [Item]
  /// Whether no items follow.
  public var isLast: Bool

  /// A part from its parts.
  public init(first: Int, items: [Item], isLast: Bool) {
    self.first = first
    self.items = items
    self.isLast = isLast
  }
}

extension Array {
  /// The elements behind a place, as reports.
  ///
  /// - Parameters:
  ///   - place: The place; nil for the beginning.
  ///   - most: Most elements.
  ///   - key: What names an element in the list; empty where nothing does.
  ///   - report: Makes the report of an element.
  /// - Returns: The part of the list; without items where the place is at the end.
  public func part<Item: Sendable>(
    after place: ListPlace?, most: Int, by key: (Element) -> String, _ report: (Element) -> Item
  ) -> ListPart<Item> {
    var first = Swift.min(place?.count ?? 0, count)
    if let place, !place.key.isEmpty, let known = firstIndex(where: { key($0) == place.key }) { first = known + 1 }
    let part = self[first...].prefix(most)
    return ListPart(first: first, items: part.map(report), isLast: part.endIndex == count)
  }
}
