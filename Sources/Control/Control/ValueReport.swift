public import JSON

/// A live value, which texts show by its name.
public struct ValueReport: Codable, Hashable, Sendable {
  /// The value's name.
  public var name: String
  /// The value: a number, a text or the rows of a table.
  public var value: JSONValue
  /// The unit after a number; nil for none.
  public var unit: String?
  /// The age from which the value is too old, in seconds; nil for never.
  public var maxAge: Int?
  /// The time when it was set.
  public var updated: Timestamp
  /// Whether it is too old.
  public var isOld: Bool
  /// The displays whose content refers to it.
  public var displays: [String]

  enum CodingKeys: String, CodingKey {
    case name, value, unit, maxAge, updated
    case isOld = "old"
    case displays
  }

  /// Creates a report.
  public init(
    name: String, value: JSONValue, unit: String? = nil, maxAge: Int? = nil, updated: Timestamp, isOld: Bool = false,
    displays: [String] = []
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.maxAge = maxAge
    self.updated = updated
    self.isOld = isOld
    self.displays = displays
  }
}

extension ValueReport: InterfaceObject {
  package static let interface = Interface.report(
    "ValueReport", "A live value, which texts show by its name.",
    [
      field("name", \.name, "The value's name.", .example("temperature")),
      field("value", \.value, "The value: a number, a text, or the rows of a table.", .liveValue),
      field("unit", \.unit, "The unit after a number.", .example("°C")),
      field("maxAge", \.maxAge, "The age from which the value is too old, in seconds.", .range(ValueRequest.ages)),
      field("updated", \.updated, "The time when it was set."),
      field("old", \.isOld, "Whether it is too old."),
      field("displays", \.displays, "The displays whose content refers to it.", .example("HDMI-A-1")),
    ])
}

/// A request to set a live value.
public struct ValueRequest: Codable, Hashable, Sendable {
  /// The value: a number, a text or the rows of a table.
  public var value: JSONValue
  /// The unit after a number; nil for none.
  public var unit: String?
  /// The age from which the value is too old, in seconds; nil for never.
  public var maxAge: Int?

  /// The permitted maximum ages, in seconds.
  package static let ages = 1...86_400_000
  /// The maximum size of a text, in bytes of UTF-8.
  package static let mostBytes = 16384
  /// The maximum number of rows.
  package static let mostRows = 1000
  /// The maximum number of cells of a row.
  package static let mostCells = 20
  /// The maximum size of a cell, in bytes of UTF-8.
  package static let mostCellBytes = 1000

  /// Creates a request.
  public init(value: JSONValue, unit: String? = nil, maxAge: Int? = nil) {
    self.value = value
    self.unit = unit
    self.maxAge = maxAge
  }
}

extension ValueRequest: InterfaceObject {
  package static let interface = Interface.request(
    "ValueRequest", noun: "A value", "A live value to set.",
    [
      field("value", \.value, "The value: a number, a text, or the rows of a table.", .liveValue),
      field("unit", \.unit, "The unit after a number.", .length(1...20), .example("°C")),
      field(
        "maxAge", \.maxAge,
        "The age from which the value is too old, in seconds; without it, the value is never too old, and is stored.",
        .range(ages)),
    ])
}

extension SchemaPart {
  /// The value is a number, a text, or rows of texts and numbers.
  static let liveValue = SchemaPart { schema in
    let cell: JSONValue = ["type": ["string", "number"], "maxLength": .number("\(ValueRequest.mostCellBytes)")]
    let row: JSONValue = [
      "type": "array", "items": cell, "maxItems": .number("\(ValueRequest.mostCells)"),
    ]
    var value: JSONValue = [
      "oneOf": [
        ["type": "number"], ["type": "string", "maxLength": .number("\(ValueRequest.mostBytes)")],
        ["type": "array", "items": row, "maxItems": .number("\(ValueRequest.mostRows)")],
      ],
      "examples": [JSONValue(21.5)],
    ]
    if let text = schema["description"] { value = value.setting("description", text) }
    return value
  }
}
