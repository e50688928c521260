import CLinux
import Glibc

/// The options of a command line, as getopt_long(3) reads them: `--name value`, `--name=value`, or a prefix of a name
/// that only one option has.
enum LongOptions {
  /// An option that can be given.
  struct Option {
    /// The name without dashes.
    let name: String
    /// Whether a value follows.
    let hasValue: Bool
  }

  /// A part of the command line. An option is given by its index.
  enum Part: Hashable {
    /// An option, and its value if it has one.
    case option(Int, value: String?)
    /// An option without the value that it needs.
    case missingValue(Int)
    /// An option with a value that it does not take.
    case unwantedValue(Int)
    /// A word that is neither an option nor a value, or an option that does not exist or is ambiguous.
    case unknown(String)
  }

  /// Reads a command line. It is not thread-safe, because getopt_long(3) is not.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - options: The options that can be given.
  /// - Returns: The parts in their order.
  static func read(_ arguments: [String], _ options: [Option]) -> [Part] {
    var words = unsafe (["placardd"] + arguments).map { unsafe strdup($0) } + [nil]
    let names = unsafe options.map { unsafe strdup($0.name) }
    defer { unsafe (words + names).forEach { unsafe free($0) } }
    var table = unsafe zip(options, names).enumerated().map { index, pair in
      unsafe option(
        name: pair.1, has_arg: pair.0.hasValue ? required_argument : no_argument, flag: nil,
        val: firstCode + Int32(index))
    }
    unsafe table.append(option())
    let count = unsafe Int32(words.count - 1)
    var parts: [Part] = []
    var next = unsafe placard_next_option(count, &words, table, 1)
    while unsafe next.code != -1 {
      unsafe parts.append(part(next, words))
      unsafe next = unsafe placard_next_option(count, &words, table, 0)
    }
    // What follows `--` is not an option.
    for index in unsafe next.next..<max(next.next, count) { unsafe parts.append(.unknown(text(words[Int(index)]))) }
    return parts
  }

  /// The code of the first option; smaller ones are characters.
  private static let firstCode: Int32 = 256

  private static func part(_ found: placard_option, _ words: [UnsafeMutablePointer<CChar>?]) -> Part {
    switch unsafe found.code {
    case 1: return unsafe .unknown(text(found.value))
    case Int32(UInt8(ascii: ":")): return unsafe .missingValue(Int(found.failed - firstCode))
    case firstCode...:
      return unsafe .option(Int(found.code - firstCode), value: found.value.map { unsafe String(cString: $0) })
    default:
      if unsafe found.failed >= firstCode { return unsafe .unwantedValue(Int(found.failed - firstCode)) }
      if let letter = unsafe Unicode.Scalar(UInt32(found.failed)), letter.value > 0 { return .unknown("-\(letter)") }
      return unsafe .unknown(text(words[Int(found.next) - 1]))
    }
  }

  private static func text(_ word: UnsafeMutablePointer<CChar>?) -> String {
    unsafe word.map { unsafe String(cString: $0) } ?? ""
  }
}
