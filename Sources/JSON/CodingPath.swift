/// Where a value stands. It is joined only when somebody asks, which for most values nobody does.
struct CodingPath {
  /// The keys of the containers around it, the outermost first.
  var outer: [any CodingKey] = []
  /// Its own key; nil for the value that is not in any container.
  var key: (any CodingKey)?

  /// All keys that lead to it.
  var keys: [any CodingKey] { key.map { outer + [$0] } ?? outer }
}

/// A key that no type has given.
enum PlainKey: CodingKey {
  /// A place in an array, counted from 0.
  case index(Int)
  /// Where a class keeps its superclass.
  case `super`

  var stringValue: String {
    switch self {
    case .index(let place): "Index \(place)"
    case .super: "super"
    }
  }

  var intValue: Int? {
    guard case .index(let place) = self else { return nil }
    return place
  }

  init?(stringValue: String) { nil }

  init?(intValue: Int) { self = .index(intValue) }
}
