import CLinux
import ArgumentParser
import Control
import ControlClient
import FastPath
import Glibc
import Synchronization

/// The options that select the service.
struct ServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The service's socket.",
      discussion: "Otherwise PLACARD_SOCKET, /run/placard/placard.sock, or the one in $XDG_RUNTIME_DIR.",
      valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The service on another machine, http://HOST:PORT.",
      discussion: "Otherwise PLACARD_URL, unless PLACARD_SOCKET is set.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The file with the token that the service at --url requires.", discussion: "Otherwise PLACARD_TOKEN_FILE.",
      valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "How long the service may take to answer, in seconds.",
      discussion: "Otherwise PLACARD_TIMEOUT, or 5. A command that waits for a frame may take a minute longer.",
      valueName: "seconds"))
  var timeout: Double?

  func validate() throws {
    if let timeout, !Self.timeouts.contains(timeout) {
      throw ValidationError("--timeout is \(timeout): use 0.1 to 86400 seconds.")
    }
    if socket != nil && url != nil { throw ValidationError("Give --socket or --url, not both.") }
  }

  /// A client for the selected service.
  var client: PlacardClient {
    get throws(Failure) {
      try client(environment: StandardConsole().environment, warn: Self.warnOnce).taking(Self.handed)
    }
  }

  /// The service's answer that the small program received and left to this program to report.
  private static let handed = StandardConsole().environment(FullProgram.variable).flatMap(InheritedReply.init)

  /// Returns a client, with a time limit for answers, for the service that the options or the environment select.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of a variable; nil if it is not set.
  ///   - warn: Receives a warning if other users can read the token.
  /// - Throws: `Failure` if the URL, the token's file or the time limit is invalid.
  /// - Returns: The client.
  func client(environment: (String) -> String?, warn: (String) -> Void) throws(Failure) -> PlacardClient {
    try unlimitedClient(environment: environment, warn: warn).answering(within: limit(environment: environment))
  }

  /// Returns the time limit for answers, in seconds.
  ///
  /// - Parameter environment: Returns the value of a variable; nil if it is not set.
  /// - Throws: `Failure` if PLACARD_TIMEOUT is not a valid number.
  /// - Returns: The limit, 0.1 to 86,400.
  func limit(environment: (String) -> String?) throws(Failure) -> Double {
    let variable = environment("PLACARD_TIMEOUT").flatMap { $0.isEmpty ? nil : $0 }
    guard timeout == nil, let variable else { return timeout ?? 5 }
    guard let seconds = Double(variable), Self.timeouts.contains(seconds) else {
      throw Failure(.usage, "PLACARD_TIMEOUT is \(variable): use 0.1 to 86400 seconds.")
    }
    return seconds
  }

  private static let timeouts = 0.1...86_400.0

  private func unlimitedClient(
    environment: (String) -> String?, warn: (String) -> Void
  ) throws(Failure) -> PlacardClient {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let socket { return PlacardClient(socket: socket) }
    let isLocal = url == nil && variable(SocketPath.variable) != nil
    guard !isLocal, let url = url ?? variable("PLACARD_URL") else { return PlacardClient() }
    let token = try (tokenFile ?? variable("PLACARD_TOKEN_FILE")).map { path throws(Failure) in
      let token = try Self.token(path)
      if let warning = Self.warning(ofTokenFile: path) { warn(warning) }
      return token
    }
    do throws(ClientError) {
      return try PlacardClient(url: url, token: token)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the token in a file, without line ends.
  private static func token(_ path: String) throws(Failure) -> String {
    let bytes = try FileBytes.read(path: path, limit: 4096)
    let token = bytes.filter { !"\r\n".utf8.contains($0) }
    guard !token.isEmpty, token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(.refused, "\(path) contains no token: it must be one line of printable ASCII without spaces.")
    }
    return String(decoding: token, as: UTF8.self)
  }

  /// Returns a warning if the token file's group or other users can read it, otherwise nil.
  private static func warning(ofTokenFile path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o044 != 0 else { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return "warning: \(path) has mode 0\(mode), so other users can read the token: chmod 600 \(path)"
  }

  /// Whether the warning has been printed; a command may create several clients.
  private static let warned = Mutex(false)

  private static func warnOnce(_ warning: String) {
    let isFirst = warned.withLock { warned in
      defer { warned = true }
      return !warned
    }
    if isFirst { StandardConsole().complain(warning) }
  }

  /// Calls the service; a failure ends the command.
  func ask<Report>(
    _ body: (PlacardClient) async throws(ClientError) -> Report
  ) async throws(Failure) -> Report {
    try await Self.ask(client, body)
  }

  /// Calls the service for shell completion, without warnings.
  func askQuietly<Report>(
    _ body: (PlacardClient) async throws(ClientError) -> Report
  ) async throws(Failure) -> Report {
    try await Self.ask(client(environment: StandardConsole().environment) { _ in }, body)
  }

  private static func ask<Report>(
    _ client: PlacardClient, _ body: (PlacardClient) async throws(ClientError) -> Report
  ) async throws(Failure) -> Report {
    do throws(ClientError) {
      return try await body(client)
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  /// Creates the failure for an error of the client.
  init(_ error: ClientError) {
    switch error {
    case .noService, .notPermitted, .unreachable, .noAnswer, .queueFull: self.init(.noService, "\(error)")
    case .tokenRequired: self.init(.noService, "\(error) Pass it with --token-file FILE, or PLACARD_TOKEN_FILE.")
    case .badAddress: self.init(.usage, "\(error)")
    case .refused, .protocolError: self.init(.refused, "\(error)")
    }
  }
}
