/// The path to a value, joined only on request because most values never need it.
struct CodingPath {
  /// The keys of the enclosing containers, outermost first.
  var outer: [any CodingKey] = []
  /// The key of the value; nil for the top-level value.
  var key: (any CodingKey)?

  /// All keys from the top-level value to this one.
  var keys: [any CodingKey] { key.map { outer + [$0] } ?? outer }
}

/// A key that does not come from a `CodingKeys` type.
enum PlainKey: CodingKey {
  /// An array index, from 0.
  case index(Int)
  /// The key under which a class encodes its superclass.
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
