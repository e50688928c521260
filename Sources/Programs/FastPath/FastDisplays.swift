/// A reader and a formatter for display reports whose texts are plain (see `FastText`).
struct FastDisplays {
  private struct Display {
    var name: String?
    var state: String?
    var since: String?
    var mode: String?
    var scale: Int?
    var monitor: String?
    var message: String?
    var reason: String?
    var warnings: [String] = []
  }

  private var displays: [Display] = []

  /// Reads a report of displays.
  ///
  /// - Parameters:
  ///   - body: The report as JSON.
  ///   - time: Formats a time in milliseconds since 1970; returns nil if that is impossible.
  /// - Returns: The displays; nil if the report is not valid JSON or contains anything else.
  static func read(_ body: ArraySlice<UInt8>, time: (Int) -> String?) -> FastDisplays? {
    var (json, list) = (FastJSON(body), FastDisplays())
    let isPlain = json.list("[", "]") { json in
      var display = Display()
      guard json.members({ key, json in read(key, &json, &display, time) }) else { return false }
      list.displays.append(display)
      // A comparison of an optional string with nil would link the Unicode tables into a debug build.
      if case (_?, _?, _?) = (display.name, display.state, display.scale) { return true }
      return false
    }
    return isPlain && json.isAtEnd ? list : nil
  }

  /// Reads a member of a display; returns false if it is unknown or has an unexpected value.
  private static func read(
    _ key: [UInt8], _ json: inout FastJSON, _ display: inout Display, _ time: (Int) -> String?
  ) -> Bool {
    func `is`(_ name: String) -> Bool { key.elementsEqual(name.utf8) }
    if `is`("name") { return keep(json.line(), &display.name) }
    if `is`("state") { return keep(json.line(), &display.state) }
    if `is`("mode") { return keep(json.line(), &display.mode) }
    if `is`("monitor") { return keep(json.line(), &display.monitor) }
    if `is`("message") { return keep(json.line(), &display.message) }
    if `is`("reason") { return keep(json.line(), &display.reason) }
    if `is`("scale") { return keep(json.integer(), &display.scale) }
    if `is`("since") { return keep(moment(&json).flatMap(time), &display.since) }
    if `is`("warnings"), let warnings = json.lines() {
      display.warnings = warnings
      return true
    }
    return unlisted.contains { `is`($0) } && json.skip()
  }

  /// The known members that the list does not show.
  ///
  /// A report with any other unlisted member is left to the full program.
  private static var unlisted: [String] {
    [
      "cause", "role", "card", "driver", "identity", "width", "height", "rotation", "modes", "pending", "isChosen",
      "session", "missedFrames", "missedInARow", "mounted", "legibility",
    ]
  }

  private static func keep<Value>(_ value: Value?, _ field: inout Value?) -> Bool {
    field = value
    return value != nil
  }

  private static func moment(_ json: inout FastJSON) -> Int? {
    var milliseconds: Int?
    let isPlain = json.members { key, json in
      guard key.elementsEqual("milliseconds".utf8) else { return json.skip() }
      return keep(json.integer(), &milliseconds)
    }
    return isPlain ? milliseconds : nil
  }

  /// Returns the lines of the list, or nil if the terminal is too narrow for them.
  func lines(_ style: FastStyle) -> [String]? {
    guard !displays.isEmpty else { return [DisplayTexts.none] }
    let unknown = DisplayTexts.unknown
    let rows = displays.map { display in
      [
        display.name ?? "", display.state ?? "", display.since ?? unknown, display.mode ?? unknown,
        "\(display.scale ?? 0)", display.monitor ?? unknown, display.message ?? display.reason ?? unknown,
      ]
    }
    let head = DisplayTexts.head + [DisplayTexts.lastHead]
    let table = FastTable(rows: [head] + rows, color: { $0 == 1 ? Self.color(ofState: $1) : nil })
    guard let lines = table.lines(style, leavingOut: DisplayTexts.optional) else { return nil }
    let warnings = displays.flatMap { display in
      display.warnings.map { DisplayTexts.warning(display.name ?? "", $0) }
    }
    return lines + warnings.map { style.paint($0, .doubtful) }
  }

  private static func color(ofState state: String) -> FastStyle.TextColor? {
    func `is`(_ name: String) -> Bool { state.utf8.elementsEqual(name.utf8) }
    if `is`("lit") { return .good }
    if `is`("dark") || `is`("stalled") || `is`("lost") { return .bad }
    return `is`("lighting") ? .doubtful : .faint
  }
}
