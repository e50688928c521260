/// A command in a plain form that needs neither the argument parser nor the client library.
///
/// The plain forms are `show TEXT`, `show --clear`, `clear`, `displays`, `health`, `sleep` and `wake`.
///
/// The program `placard` compiles the files of this directory in Embedded Swift, which has no existentials and no
/// Unicode tables. Therefore words are compared as UTF-8.
package struct FastCommand: Sendable {
  /// The operation of a command.
  package enum Action: Sendable {
    /// Shows a text.
    case show
    /// Ends the message that `show` sent.
    case clear
    /// Lists the displays.
    case displays
    /// Reports the service's health.
    case health
    /// Puts displays to sleep.
    case sleep
    /// Wakes displays that are asleep.
    case wake
  }

  /// The operation.
  package private(set) var action: Action
  /// The text to show, in UTF-8.
  package private(set) var text: [UInt8] = []
  /// The display's name; nil for all displays.
  package private(set) var display: [UInt8]?
  /// Whether the service answers only after the frame is presented.
  package private(set) var waits = false
  /// The path of the service's socket; nil without `--socket`.
  package private(set) var socket: [UInt8]?
  /// The time limit for the answer in milliseconds; nil without `--timeout`.
  package private(set) var timeout: Int?
  /// The arguments that are not options.
  private var operands: [[UInt8]] = []

  private init(_ action: Action) { self.action = action }

  /// Returns the command for the arguments of the command line.
  ///
  /// - Parameter words: The arguments after the program's name.
  /// - Returns: Nil for every other command, option or syntax, and for mistakes; the full program handles these.
  package static func parse(_ words: [String]) -> FastCommand? {
    // Options that select the service may precede the command's name.
    var command = FastCommand(.displays)
    var isNamed = false
    var rest = words.map { Array($0.utf8) }[...]
    while let word = rest.popFirst() {
      if word.first == dash {
        guard command.read(option: word, from: &rest, isShow: isNamed && command.action.shows) else { return nil }
      } else if isNamed {
        command.operands.append(word)
      } else {
        guard let action = Self.action(word) else { return nil }
        (command.action, isNamed) = (action, true)
      }
    }
    return isNamed && command.readOperands() ? command : nil
  }

  private static func action(_ name: [UInt8]) -> Action? {
    if name.elementsEqual("show".utf8) { return .show }
    if name.elementsEqual("clear".utf8) { return .clear }
    if name.elementsEqual("displays".utf8) { return .displays }
    if name.elementsEqual("health".utf8) { return .health }
    if name.elementsEqual("sleep".utf8) { return .sleep }
    return name.elementsEqual("wake".utf8) ? .wake : nil
  }

  /// Assigns the operands and returns whether the command accepts them.
  private mutating func readOperands() -> Bool {
    switch action {
    case .show:
      text = Array(operands.joined(separator: [UInt8(ascii: " ")]))
      return !operands.isEmpty
    case .clear: return operands.isEmpty && !waits
    case .displays, .health: return operands.isEmpty
    case .sleep, .wake:
      display = operands.first
      return operands.count < 2 && display?.isEmpty != true
    }
  }

  /// Reads an option and its value; returns false if it is unknown, repeated or has no value.
  private mutating func read(option: [UInt8], from rest: inout ArraySlice<[UInt8]>, isShow: Bool) -> Bool {
    if option.elementsEqual("--socket".utf8), socket == nil {
      socket = Self.value(&rest)
      return socket != nil
    }
    if option.elementsEqual("--timeout".utf8), timeout == nil {
      timeout = Self.value(&rest).flatMap(Self.milliseconds)
      return timeout != nil
    }
    guard isShow else { return false }
    if option.elementsEqual("--display".utf8) || option.elementsEqual("-d".utf8), display == nil {
      display = Self.value(&rest)
      return display != nil
    }
    if option.elementsEqual("--wait".utf8) || option.elementsEqual("-w".utf8), !waits {
      waits = true
      return true
    }
    if option.elementsEqual("--clear".utf8), action == .show {
      action = .clear
      return true
    }
    return false
  }

  private static func value(_ rest: inout ArraySlice<[UInt8]>) -> [UInt8]? {
    guard let value = rest.popFirst(), let first = value.first, first != dash else { return nil }
    return value
  }

  /// Converts a number of seconds to milliseconds.
  ///
  /// - Parameter text: Up to five digits, optionally with a decimal point and one to three more digits.
  /// - Returns: 100 to 86,400,000; nil for any other number or syntax.
  package static func milliseconds(_ text: [UInt8]) -> Int? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ number($0, most: 5) }) else { return nil }
    var fraction = 0
    if parts.count > 1 {
      guard let digits = number(parts[1], most: 3) else { return nil }
      fraction = digits * [100, 10, 1][parts[1].count - 1]
    }
    let milliseconds = whole * 1000 + fraction
    return (100...86_400_000).contains(milliseconds) ? milliseconds : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>, most: Int) -> Int? {
    guard !digits.isEmpty, digits.count <= most, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static let dash = UInt8(ascii: "-")
}

extension FastCommand.Action {
  /// Whether the command may have the options of `show`.
  fileprivate var shows: Bool { self == .show || self == .clear }
}

extension FastCommand {
  /// Whether the service answers only after a frame is presented, which adds a minute to the time limit.
  var awaitsFrame: Bool { waits || action == .wake }

  /// The HTTP request, as the client library sends it.
  package var request: [UInt8] {
    switch action {
    case .show:
      var body = Array("{".utf8)
      if let display { Self.append("display", display, to: &body) }
      Self.append("text", text, to: &body)
      return Self.request("PUT /v1/message", body + Array((waits ? "\"wait\":true}" : "\"wait\":false}").utf8))
    case .clear:
      guard let display else { return Self.request("DELETE /v1/message") }
      return Self.request("DELETE /v1/displays/" + Self.escaped(display) + "/message")
    case .displays: return Self.request("GET /v1/displays")
    case .health: return Self.request("GET /v1/health")
    case .sleep, .wake:
      var body = Array((action == .sleep ? "{\"asleep\":true," : "{\"asleep\":false,").utf8)
      if let display { Self.append("display", display, to: &body) }
      return Self.request("PUT /v1/sleep", body.dropLast() + [UInt8(ascii: "}")])
    }
  }

  private static func request(_ line: String, _ body: [UInt8]? = nil) -> [UInt8] {
    let type = body == nil ? "" : "content-type: application/json\r\n"
    let length = body.map { "content-length: \($0.count)\r\n" } ?? ""
    let head = line + " HTTP/1.1\r\n" + type + "host: placard\r\nconnection: close\r\n" + length + "\r\n"
    return Array(head.utf8) + (body ?? [])
  }

  /// Returns a path segment in which all bytes except RFC 3986's unreserved characters are percent-encoded.
  private static func escaped(_ name: [UInt8]) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    let path = name.reduce(into: [UInt8]()) { path, byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        path.append(byte)
      default: path += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  /// Appends a member of a JSON object, and a comma.
  private static func append(_ field: String, _ value: [UInt8], to json: inout [UInt8]) {
    json += Array("\"".utf8) + Array(field.utf8) + Array("\":".utf8)
    quote(value, to: &json)
    json.append(UInt8(ascii: ","))
  }

  /// Appends a JSON string (RFC 8259, section 7).
  private static func quote(_ text: [UInt8], to json: inout [UInt8]) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    json.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
      case 0x08: json += "\\b".utf8
      case 0x0C: json += "\\f".utf8
      case 0x0A: json += "\\n".utf8
      case 0x0D: json += "\\r".utf8
      case 0x09: json += "\\t".utf8
      case 0..<0x20:
        json += "\\u00".utf8
        json += [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      default: json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
  }
}
