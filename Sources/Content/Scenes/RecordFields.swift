import JSON

/// The reason why a record cannot be read, as part of a sentence.
struct RecordError: Error, Hashable {
  var reason: String
}

/// The members of a record's JSON object, accessed by name.
struct RecordFields {
  private var members: [String: JSONValue]

  /// The format version that is written and accepted.
  private static let version = 1
  /// The exclusive upper limit of numbers in records.
  ///
  /// A double holds all smaller integers exactly. As a time in milliseconds, the limit is in the year 287396.
  static let greatest = 1 << 53

  /// Creates an empty object with the current version.
  init() { members = ["v": .number("\(Self.version)")] }

  /// Parses the object of a stored record.
  init(_ record: Record) throws(RecordError) {
    guard case .object(let members)? = try? JSONValue(parsing: record.json.utf8) else {
      throw RecordError(reason: "it is not a JSON object")
    }
    self.members = members
    let version = try number("v")
    guard version == Self.version else {
      throw RecordError(reason: "its version is \(version), but this Placard reads version \(Self.version)")
    }
  }

  /// Returns the members as a record.
  func record(_ kind: String, _ key: String) -> Record {
    Record(kind: kind, key: key, json: String(decoding: JSONValue.object(members).encoded, as: UTF8.self))
  }

  subscript(name: String) -> JSONValue? {
    get { members[name] }
    set { members[name] = newValue }
  }

  mutating func set(_ name: String, _ number: Int64?) { self[name] = number.map { .number("\($0)") } }

  mutating func set(_ name: String, _ text: String?) { self[name] = text.map { .string($0) } }

  mutating func set(_ name: String, _ isTrue: Bool) { self[name] = .bool(isTrue) }

  func text(_ name: String) throws(RecordError) -> String { try mustBe("a string", name, self[name]?.text) }

  func optionalText(_ name: String) throws(RecordError) -> String? { self[name] == nil ? nil : try text(name) }

  func texts(_ name: String) throws(RecordError) -> [String] {
    guard case .array(let elements)? = self[name] else { throw RecordError(reason: "`\(name)` must be an array") }
    return elements.compactMap(\.text)
  }

  func number(_ name: String) throws(RecordError) -> Int {
    let number = try mustBe("a whole number", name, self[name]?.integer)
    guard abs(Double(number)) < Double(Self.greatest) else { throw RecordError(reason: "`\(name)` is out of range") }
    return number
  }

  func optionalNumber(_ name: String) throws(RecordError) -> Int? { self[name] == nil ? nil : try number(name) }

  func time(_ name: String) throws(RecordError) -> Int64 { Int64(try number(name)) }

  func optionalTime(_ name: String) throws(RecordError) -> Int64? { self[name] == nil ? nil : try time(name) }

  func flag(_ name: String) throws(RecordError) -> Bool {
    guard case .bool(let isTrue)? = self[name] else { throw RecordError(reason: "`\(name)` must be true or false") }
    return isTrue
  }

  func scene(_ name: String) throws(RecordError) -> Scene {
    let document = try mustBe("a scene", name, self[name])
    do throws(DocumentError) {
      return try Scene(kept: Name.restored(in: document))
    } catch {
      throw RecordError(reason: "\(error)")
    }
  }

  private func mustBe<Value>(_ what: String, _ name: String, _ value: Value?) throws(RecordError) -> Value {
    guard let value else { throw RecordError(reason: "`\(name)` must be \(what)") }
    return value
  }
}
