import JSON
import Ordering

/// A value that a client sets, and that texts show where they refer to it, such as `{{temperature}}`.
package struct LiveValue: Hashable, Sendable {
  /// The content of a value.
  package enum Content: Hashable, Sendable {
    /// A number in decimal notation, such as `21.50`, whose digits are kept.
    case number(String)
    /// A text.
    case text(String)
    /// The rows of a table, each with its cells.
    case rows([[DataTable.Cell]])
  }

  /// The name, which is unique.
  package var name: String
  /// The content.
  package let content: Content
  /// The size of the content in bytes of UTF-8.
  let bytes: Int
  /// The unit after a number, such as `°C`; nil for none.
  package var unit: String?
  /// The age from which the value is too old, in milliseconds; nil for never.
  package var maxAge: Int64?
  /// The time when it was set, in milliseconds since 1970.
  package var updated: Int64

  /// Creates a value from its parts.
  package init(_ name: String, _ content: Content, unit: String? = nil, maxAge: Int64? = nil, updated: Int64 = 0) {
    self.name = name
    self.content = content
    switch content {
    case .number(let text), .text(let text): bytes = text.utf8.count
    case .rows(let rows): bytes = rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.text.utf8.count + 8 } + 8 }
    }
    self.unit = unit
    self.maxAge = maxAge
    self.updated = updated
  }

  /// The time from which the value is too old, in milliseconds since 1970; nil for never.
  package var end: Int64? { maxAge.map { ViewContext.bounded(updated) + min($0, 1 << 45) } }

  /// Returns whether the value is too old.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970.
  /// - Returns: Whether it is.
  package func isOld(at now: Int64) -> Bool { end.map { $0 <= now } ?? false }

  /// The permitted maximum ages, in milliseconds: one second to a thousand days.
  package static let permittedAges: ClosedRange<Int64> = 1000...86_400_000_000
}

extension SessionModel {
  /// The names of the live values in natural order.
  package var valueNames: [String] { values.keys.naturallySorted() }

  /// Sets a live value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - now: The current time, in milliseconds since 1970.
  package mutating func setValue(_ value: LiveValue, at now: Int64) {
    var value = value
    value.updated = now
    values[value.name] = value
  }

  /// Removes a live value.
  ///
  /// - Parameter name: The value's name.
  /// - Throws: `SessionModelError.noValue`.
  package mutating func removeValue(_ name: String) throws(SessionModelError) {
    guard values.removeValue(forKey: name) != nil else { throw .noValue(name) }
  }

  /// Returns the names of the live values that differ between two models.
  package static func changedValues(from old: SessionModel, to new: SessionModel) -> Set<String> {
    guard old.values != new.values else { return [] }
    return Set(old.values.keys).union(new.values.keys).filter { old.values[$0] != new.values[$0] }
  }
}

/// The persistent record of a live value.
///
/// A value with a maximum age comes from a source that repeats it, and is not stored: that would wear out an SD card.
struct ValueRecord {
  static let kind = "value"

  let value: LiveValue

  init(_ value: LiveValue) { self.value = value }

  var record: Record {
    var fields = RecordFields()
    switch value.content {
    case .number(let text): fields["number"] = .string(text)
    case .text(let text): fields.set("text", text)
    case .rows(let rows): fields["rows"] = .array(rows.map { .array($0.map(\.json)) })
    }
    fields.set("unit", value.unit)
    fields.set("updated", value.updated)
    return fields.record(Self.kind, value.name)
  }

  init(name: String, _ fields: RecordFields) throws(RecordError) {
    let content: LiveValue.Content
    if let number = try fields.optionalText("number") {
      content = .number(number)
    } else if case .array(let rows)? = fields["rows"] {
      content = .rows(
        rows.map { row in
          guard case .array(let cells) = row else { return [] }
          return cells.map { DataTable.Cell($0) ?? .text("") }
        })
    } else {
      content = .text(try fields.text("text"))
    }
    value = LiveValue(name, content, unit: try fields.optionalText("unit"), updated: try fields.time("updated"))
  }
}
