import Control

/// A request that lists its fields, so that a misspelled one is refused instead of ignored.
protocol StrictRequest: Decodable {
  /// The noun for the request in sentences.
  static var noun: String { get }
  /// The names of all its fields.
  static var fields: [String] { get }
  /// Checks the values as far as possible without the service; the problem names the field.
  func check() throws(Problem)
}

extension StrictRequest {
  func check() throws(Problem) {}

  /// Refuses a field that is present, but empty.
  fileprivate func mustNotBeEmpty(_ fields: KeyValuePairs<String, String?>) throws(Problem) {
    for (name, value) in fields where value?.isEmpty ?? false {
      throw .invalid("The field \(name) is empty: omit it, or give it a value.")
    }
  }
}

extension MessageRequest: StrictRequest {
  static var noun: String { "A message" }
  static var fields: [String] {
    ["text", "scene", "display", "role", "tag", "name", "priority", "seconds", "acknowledge", "wait"]
  }

  /// The maximum lifetime in seconds, 30 years.
  static let mostSeconds = 30 * 366 * 86400

  func check() throws(Problem) {
    if text == nil, scene == nil { throw .invalid("The field text or scene is missing: send one of the two.") }
    if text != nil, scene != nil { throw .invalid("A message has a text or a scene: send one of the two fields.") }
    try mustNotBeEmpty(["display": display, "role": role, "tag": tag, "name": name])
    if [display, role, tag].compactMap(\.self).count > 1 {
      throw .invalid("A message has one target: send only one of the fields display, role and tag.")
    }
    if let role, !["internal", "external"].contains(role) {
      throw .invalid("The field role is \(role): it must be internal or external.")
    }
    if let priority, !(-100...100).contains(priority) {
      throw .invalid("The field priority is \(priority): it must be from -100 to 100.")
    }
    if let seconds, !(1...Self.mostSeconds).contains(seconds) {
      throw .invalid("The field seconds is \(seconds): it must be from 1 to \(Self.mostSeconds).")
    }
  }
}

/// A message that replaces the one for all displays or for one display, and has no fields besides its content.
struct PlainMessage: StrictRequest {
  static let noun = "A message at this path (one posted to /v1/messages has more)"
  static let fields = ["text", "scene", "display", "wait"]

  /// The message with the fields that a plain message has.
  let request: MessageRequest

  init(from decoder: any Decoder) throws { request = try MessageRequest(from: decoder) }

  func check() throws(Problem) { try request.check() }
}

extension OpenRequest: StrictRequest {
  static var noun: String { "A session" }
  static var fields: [String] { ["scene", "display", "tag", "wait"] }

  func check() throws(Problem) { try mustNotBeEmpty(["display": display, "tag": tag]) }
}

extension MoveRequest: StrictRequest {
  static var noun: String { "A request to move" }
  static var fields: [String] { ["display"] }

  func check() throws(Problem) { try mustNotBeEmpty(["display": display]) }
}

extension ScrollRequest: StrictRequest {
  static var noun: String { "A request to scroll" }
  static var fields: [String] { ["position", "heading", "page"] }

  func check() throws(Problem) {
    guard [position == nil, heading == nil, page == nil].count(where: { !$0 }) == 1 else {
      throw .invalid("A request to scroll has a position, a heading or a page: send one of these fields.")
    }
    try mustNotBeEmpty(["heading": heading])
    if let position, !(0...1).contains(position) {
      throw .invalid("The field position is \(position): it must be from 0, the beginning, to 1, the end.")
    }
    if let page, !(-1000...1000).contains(page) {
      throw .invalid("The field page is \(page): it must be a number of pages from -1000 to 1000.")
    }
  }
}

extension SleepRequest: StrictRequest {
  static var noun: String { "A request to sleep or wake" }
  static var fields: [String] { ["asleep", "display"] }
}

extension PlugRequest: StrictRequest {
  static var noun: String { "A virtual monitor" }
  static var fields: [String] { ["display", "width", "height", "edid"] }
}

extension ModeRequest: StrictRequest {
  static var noun: String { "A request for a mode" }
  static var fields: [String] { ["mode", "rotation", "keep"] }

  func check() throws(Problem) {
    try mustNotBeEmpty(["mode": mode])
    if mode == nil, rotation == nil { throw .invalid("The field mode or rotation is missing: send one or both.") }
    if let rotation, ![0, 90, 180, 270].contains(rotation) {
      throw .invalid("The field rotation is \(rotation): it must be 0, 90, 180 or 270 degrees clockwise.")
    }
  }
}

extension IdentifyRequest: StrictRequest {
  static var noun: String { "A request to identify displays" }
  static var fields: [String] { ["display", "seconds"] }

  func check() throws(Problem) {
    try mustNotBeEmpty(["display": display])
    if let seconds, !(1...600).contains(seconds) {
      throw .invalid("The field seconds is \(seconds): it must be from 1 to 600.")
    }
  }
}
