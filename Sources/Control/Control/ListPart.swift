/// A place in a list, given by the number of items before it and by the key of the last of these.
///
/// The key finds the place again after items were added or removed.
public struct ListPlace: Hashable, Sendable {
  /// The number of items before the place.
  public var count: Int
  /// The key of the item before the place; empty if the item has none.
  public var key: String

  /// Creates a place.
  public init(count: Int, key: String) {
    self.count = count
    self.key = key
  }
}

/// A number of consecutive items of a list.
public struct ListPart<Item: Sendable>: Sendable {
  /// The number of items in the list before these.
  public var first: Int
  /// The items.
  public var items: [Item]
  /// Whether these are the last items of the list.
  public var isLast: Bool

  /// Creates a part.
  public init(first: Int, items: [Item], isLast: Bool) {
    self.first = first
    self.items = items
    self.isLast = isLast
  }
}

extension Array {
  /// Returns the elements after a place, as reports.
  ///
  /// - Parameters:
  ///   - place: The place; nil for the beginning of the array.
  ///   - most: The maximum number of elements.
  ///   - key: Returns the key of an element; empty if it has none.
  ///   - report: Creates the report of an element; called only for the elements returned.
  /// - Returns: The part of the list, without items if the place is at the end.
  public func part<Item: Sendable>(
    after place: ListPlace?, most: Int, by key: (Element) -> String, _ report: (Element) -> Item
  ) -> ListPart<Item> {
    var first = Swift.min(place?.count ?? 0, count)
    if let place, !place.key.isEmpty, let known = firstIndex(where: { key($0) == place.key }) { first = known + 1 }
    let part = self[first...].prefix(most)
    return ListPart(first: first, items: part.map(report), isLast: part.endIndex == count)
  }
}
