import Access
import Configuration
import Displays

/// The command-line parser of `placardd`.
///
/// It uses no library, because loading one takes longer than the rest of startup until the card is open.
public enum ServiceArguments {
  /// The action that a command line requests.
  public enum Request: Sendable {
    /// Run the daemon.
    case run(ServiceOptions)
    /// Replay a recording and print the result.
    case replay(ServiceOptions, file: String)
    /// Print a text and exit.
    case print(String)
  }

  /// An error in the command line.
  public struct UsageError: Error, Hashable, CustomStringConvertible {
    /// A sentence that names the argument and the correct form.
    public var description: String
  }

  /// Parses options of the form `--name value` or `--name=value`, of which the last one counts.
  ///
  /// - Parameter arguments: The arguments after the program name.
  /// - Throws: `UsageError` for the first argument that is not an option, lacks its value, or has an invalid one.
  /// - Returns: The requested action.
  public static func read(_ arguments: [String]) throws(UsageError) -> Request {
    var options = ServiceOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .print(help)
      case "--version": return .print(Service.version)
      default: try read(argument, &rest, into: &options)
      }
    }
    if options.masksSerials && options.record == nil {
      throw UsageError(description: "--mask-serials masks a recording: give --record <file>, too")
    }
    if options.isJSON && options.replay == nil {
      throw UsageError(description: "--json is for what --replay tells: give --replay <file>, too")
    }
    if let file = options.replay { return .replay(options, file: file) }
    return .run(options)
  }

  private static func read(
    _ argument: String, _ rest: inout ArraySlice<String>, into options: inout ServiceOptions
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = all.first(where: { "--" + $0.name == parts[0] }) else {
      throw UsageError(description: "placardd knows no '\(argument)'; its options are listed by placardd --help")
    }
    switch option.kind {
    case .flag(let set):
      guard parts.count == 1 else { throw UsageError(description: "--\(option.name) takes no value") }
      set(&options)
    case .value(let name, let take):
      guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
        throw UsageError(description: "--\(option.name) needs a value: --\(option.name) <\(name)>")
      }
      if !take(&options, value) {
        throw UsageError(description: "--\(option.name) cannot be '\(value)': \(option.help.joined(separator: " "))")
      }
    }
  }

  private struct Option: Sendable {
    enum Kind: Sendable {
      case flag(@Sendable (inout ServiceOptions) -> Void)
      /// The name of the value, and a setter that returns whether the value is valid.
      case value(String, @Sendable (inout ServiceOptions, String) -> Bool)
    }

    let name: String
    let help: [String]
    let kind: Kind
  }

  private static let all = [
    Option(
      name: "config", help: ["The configuration file", "(default: /etc/placard/placard.toml)."],
      kind: .value("file") {
        $0.configuration = $1; return true
      }),
    Option(
      name: "socket", help: ["The control socket."],
      kind: .value("path") {
        $0.socket = $1; return true
      }),
    Option(
      name: "listen",
      help: [
        "Serve the web page and the API here, too: an address and",
        "a port, like 127.0.0.1:8080, or *:8080 with a token file.",
      ],
      kind: .value("address") {
        $0.listen = ListenAddress(parsing: $1); return $0.listen != nil
      }),
    Option(
      name: "token-file",
      help: ["The file that holds the token which clients must know", "(mode 0600)."],
      kind: .value("path") {
        $0.tokenFile = $1; return !$1.isEmpty
      }),
    Option(
      name: "backend", help: ["Which displays to drive: auto, kms or virtual."],
      kind: .value("backend") {
        $0.backend = Backend(rawValue: $1); return $0.backend != nil
      }),
    Option(
      name: "policy",
      help: ["How modes are chosen: legible, native, halve-above-1080p,", "or a mode like 1920x1080@60."],
      kind: .value("policy") {
        $0.policy = ModePolicy(parsing: $1); return $0.policy != nil
      }),
    Option(
      name: "message", help: ["The message at start."],
      kind: .value("text") {
        $0.message = $1; return !$1.allSatisfy(\.isWhitespace)
      }),
    Option(
      name: "state",
      help: ["The file that keeps sessions, messages and history, an", "absolute path, or none."],
      kind: .value("path") {
        $0.storage = Storage(parsing: $1); return $0.storage != nil
      }),
    Option(
      name: "on-controller-sleep",
      help: ["External displays sleep while this machine sleeps, or", "while its lid is closed."],
      kind: .flag { $0.sleepsWithController = true }),
    Option(
      name: "no-atomic",
      help: ["Use the legacy calls (SetCrtc, PageFlip) even where the", "driver has atomic modesetting."],
      kind: .flag { $0.isAtomicAllowed = false }),
    Option(
      name: "record",
      help: [
        "Write down there what the hardware says and what is", "decided, for placard replay; at most 64 MiB.",
      ],
      kind: .value("file") {
        $0.record = $1; return !$1.isEmpty
      }),
    Option(
      name: "mask-serials",
      help: ["Record other serial numbers than the monitors have."],
      kind: .flag { $0.masksSerials = true }),
    Option(
      name: "replay",
      help: ["Do not serve, but tell where a recording's decisions", "would be others now: see placard replay."],
      kind: .value("file") {
        $0.replay = $1; return !$1.isEmpty
      }),
    Option(
      name: "json", help: ["Have what --replay tells as JSON."],
      kind: .flag { $0.isJSON = true }),
    Option(
      name: "log",
      help: ["How much is logged: trace, debug, info, notice, warning,", "error or critical."],
      kind: .value("level") {
        $0.logLevel = LogLevel(rawValue: $1); return $0.logLevel != nil
      }),
  ]

  private static let help = """
    Lights every monitor that is plugged in, and puts messages on them.

    Usage: placardd [OPTION...]

    Options:
    \(all.map(line).joined(separator: "\n"))
      --version            Print the version.
      -h, --help           Print this help.

    It runs until SIGTERM. SIGHUP makes it read its configuration again. Messages
    come through `placard show`.

    Examples:
      placardd                               real monitors if there are any, else
                                             a virtual one
      placardd --backend virtual             a virtual monitor of 1920x1080
      placardd --listen 127.0.0.1:8080       with the web page at
                                             http://127.0.0.1:8080/
      placardd --policy native --message Hi  monitors in their own mode, with a
                                             first message
    """

  /// Formats an option with its help, which starts in column 24.
  private static func line(_ option: Option) -> String {
    var head = "  --" + option.name
    if case .value(let name, _) = option.kind { head += " <\(name)>" }
    head += head.count < 23 ? String(repeating: " ", count: 23 - head.count) : "\n" + String(repeating: " ", count: 23)
    return head + option.help.joined(separator: "\n" + String(repeating: " ", count: 23))
  }
}
