/// A command line in a plain form that needs neither the argument parser nor the client library: `show TEXT`.
///
/// The program `placard` compiles the files of this folder in Embedded Swift, which has no existentials and no tables of
/// Unicode. Words are therefore compared as UTF-8.
public struct FastCommand: Sendable {
  /// The text to show, in UTF-8.
  public var text: [UInt8] = []
  /// The display's name; nil for all displays.
  public var display: [UInt8]?
  /// Whether the service answers only after the frame is presented.
  public var waits = false
  /// The path of the service's socket, if an option names it.
  public var socket: [UInt8]?
  /// How many milliseconds the answer may take, if an option says so.
  public var timeout: Int?

  /// Returns the command that the words stand for.
  ///
  /// - Parameter words: The words of the command line after the program's name.
  /// - Returns: Nil for every other command, option or spelling, and for mistakes: these belong to the full program.
  public static func parse(_ words: [String]) -> FastCommand? {
    var command = FastCommand()
    var text: [[UInt8]] = []
    var isShow = false
    var rest = words.map { Array($0.utf8) }[...]
    while let word = rest.popFirst() {
      if word.first == dash {
        guard command.read(option: word, from: &rest, isShow: isShow) else { return nil }
      } else if isShow {
        text.append(word)
      } else {
        guard word.elementsEqual("show".utf8) else { return nil }
        isShow = true
      }
    }
    guard !text.isEmpty else { return nil }
    command.text = Array(text.joined(separator: [UInt8(ascii: " ")]))
    return command
  }

  /// Reads an option and its value; false if it is unknown, repeated or without a value.
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
    return false
  }

  private static func value(_ rest: inout ArraySlice<[UInt8]>) -> [UInt8]? {
    guard let value = rest.popFirst(), let first = value.first, first != dash else { return nil }
    return value
  }

  /// Returns the milliseconds of a number of seconds.
  ///
  /// - Parameter text: Digits, and at most three behind a point.
  /// - Returns: 100 to 86,400,000; nil for another number or spelling.
  public static func milliseconds(_ text: [UInt8]) -> Int? {
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

extension FastCommand {
  /// The HTTP request, as the client library sends it.
  public var request: [UInt8] {
    var body = Array("{".utf8)
    if let display {
      body += "\"display\":".utf8
      Self.quote(display, to: &body)
      body += ",".utf8
    }
    body += "\"text\":".utf8
    Self.quote(text, to: &body)
    body += (waits ? ",\"wait\":true}" : ",\"wait\":false}").utf8
    let head = "PUT /v1/message HTTP/1.1\r\ncontent-type: application/json\r\nhost: placard\r\nconnection: close\r\n"
    return Array(head.utf8) + Array("content-length: \(body.count)\r\n\r\n".utf8) + body
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
