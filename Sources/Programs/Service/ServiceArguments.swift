import Access
import Configuration
import Displays

/// The command line of `placardd`.
package enum ServiceArguments {
  /// The action that a command line requests.
  package enum Request: Sendable {
    /// Run the daemon.
    case run(ServiceOptions)
    /// Replay a recording and print the result.
    case replay(ServiceOptions, file: String)
    /// Print a text and exit.
    case print(String)
  }

  /// An error in the command line.
  package struct UsageError: Error, Hashable, CustomStringConvertible {
    /// A sentence that names the argument and the correct form.
    package var description: String
  }

  /// Reads options of the form `--name value` or `--name=value`, of which the last one counts.
  ///
  /// It is not thread-safe, because getopt_long(3) is not.
  ///
  /// - Parameter arguments: The arguments after the program name.
  /// - Throws: `UsageError` for the first argument that is not an option, lacks its value, or has an invalid one.
  /// - Returns: The requested action.
  package static func read(_ arguments: [String]) throws(UsageError) -> Request {
    var options = ServiceOptions()
    for part in LongOptions.read(arguments, all.map { LongOptions.Option(name: $0.name, hasValue: $0.hasValue) }) {
      switch part {
      case .option(let index, let value):
        switch all[index].kind {
        case .help: return .print(help)
        case .version: return .print(Service.version)
        case .flag(let set): set(&options)
        case .value(_, let take):
          if !take(&options, value ?? "") { throw invalid(all[index], value ?? "") }
        }
      case .missingValue(let index): throw missingValue(all[index])
      case .unwantedValue(let index): throw UsageError(description: "--\(all[index].name) takes no value")
      case .unknown("-h"): return .print(help)
      case .unknown(let word):
        throw UsageError(description: "unknown option '\(word)'; placardd --help lists the options")
      }
    }
    return try request(options)
  }

  private static func request(_ options: ServiceOptions) throws(UsageError) -> Request {
    if options.masksSerials && options.record == nil {
      throw UsageError(description: "--mask-serials requires --record <file>")
    }
    if options.isJSON && options.replay == nil {
      throw UsageError(description: "--json requires --replay <file>")
    }
    if let file = options.replay { return .replay(options, file: file) }
    return .run(options)
  }

  private static func invalid(_ option: Option, _ value: String) -> UsageError {
    UsageError(description: "--\(option.name) cannot be '\(value)': \(option.help.joined(separator: " "))")
  }

  private static func missingValue(_ option: Option) -> UsageError {
    guard case .value(let name, _) = option.kind else { return UsageError(description: "--\(option.name)") }
    return UsageError(description: "--\(option.name) needs a value: --\(option.name) <\(name)>")
  }

  private struct Option: Sendable {
    enum Kind: Sendable {
      case help
      case version
      case flag(@Sendable (inout ServiceOptions) -> Void)
      /// The name of the value, and a setter that returns whether the value is valid.
      case value(String, @Sendable (inout ServiceOptions, String) -> Bool)
    }

    let name: String
    let help: [String]
    let kind: Kind

    var hasValue: Bool { if case .value = kind { true } else { false } }
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
        "Also serve the web page and the API here: an address",
        "and a port, like 127.0.0.1:8080, or *:8080 with a",
        "token file.",
      ],
      kind: .value("address") {
        $0.listen = ListenAddress(parsing: $1); return $0.listen != nil
      }),
    Option(
      name: "token-file",
      help: ["The file with the token that clients must present", "(mode 0600)."],
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
      help: ["How modes are chosen: legible, native, halve-above-1080p,", "or a mode such as 1920x1080@60."],
      kind: .value("policy") {
        $0.policy = ModePolicy(parsing: $1); return $0.policy != nil
      }),
    Option(
      name: "message", help: ["The message to show at startup."],
      kind: .value("text") {
        $0.message = $1; return !$1.allSatisfy(\.isWhitespace)
      }),
    Option(
      name: "state",
      help: ["The file that stores sessions, messages and history: an", "absolute path, or none."],
      kind: .value("path") {
        $0.storage = Storage(parsing: $1); return $0.storage != nil
      }),
    Option(
      name: "on-host-suspend",
      help: ["Let external displays sleep while this machine sleeps or", "its lid is closed."],
      kind: .flag { $0.sleepsOnHostSuspend = true }),
    Option(
      name: "no-atomic",
      help: ["Use the legacy calls (SetCrtc, PageFlip) even if the", "driver supports atomic modesetting."],
      kind: .flag { $0.isAtomicAllowed = false }),
    Option(
      name: "record",
      help: [
        "Record hardware events and decisions to this file, for", "placard replay; at most 64 MiB.",
      ],
      kind: .value("file") {
        $0.record = $1; return !$1.isEmpty
      }),
    Option(
      name: "mask-serials",
      help: ["Replace the monitors' serial numbers in the recording."],
      kind: .flag { $0.masksSerials = true }),
    Option(
      name: "replay",
      help: ["Do not serve; print which decisions of a recording would", "be different now: see placard replay."],
      kind: .value("file") {
        $0.replay = $1; return !$1.isEmpty
      }),
    Option(
      name: "json", help: ["Print the result of --replay as JSON."],
      kind: .flag { $0.isJSON = true }),
    Option(
      name: "log",
      help: ["The minimum level to log: trace, debug, info, notice,", "warning, error or critical."],
      kind: .value("level") {
        $0.logLevel = LogLevel(rawValue: $1); return $0.logLevel != nil
      }),
    Option(name: "version", help: ["Print the version."], kind: .version),
    Option(name: "help", help: ["Print this help."], kind: .help),
  ]

  private static let help = """
    Enables every connected monitor and shows messages on them.

    Usage: placardd [OPTION...]

    Options:
    \(all.map(line).joined(separator: "\n"))

    It runs until SIGTERM. On SIGHUP, it reads its configuration again.
    Send messages with `placard show`.

    Examples:
      placardd                               real monitors if there are any,
                                             otherwise a virtual one
      placardd --backend virtual             a virtual monitor of 1920x1080
      placardd --listen 127.0.0.1:8080       web page at
                                             http://127.0.0.1:8080/
      placardd --policy native --message Hi  monitors in their own mode, and
                                             a first message
    """

  /// Formats an option with its help, which starts in column 24.
  private static func line(_ option: Option) -> String {
    var head = (option.name == "help" ? "  -h, --" : "  --") + option.name
    if case .value(let name, _) = option.kind { head += " <\(name)>" }
    head += head.count < 23 ? String(repeating: " ", count: 23 - head.count) : "\n" + String(repeating: " ", count: 23)
    return head + option.help.joined(separator: "\n" + String(repeating: " ", count: 23))
  }
}
