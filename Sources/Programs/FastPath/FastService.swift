/// The service's socket and the time limit for a command in a plain form.
package struct FastService: Sendable {
  /// The path of the service's socket.
  package var socket: [UInt8]
  /// The time limit for the answer in milliseconds.
  package var timeout: Int

  /// Returns the service for a command, by the rules of the full program (`SocketPath.choose`).
  ///
  /// - Parameters:
  ///   - command: The command, whose options take precedence.
  ///   - environment: Returns the value of a variable; nil if it is not set.
  ///   - user: The effective user ID.
  ///   - isServiceUser: Returns whether the service's user has this ID. It is called only if the other rules are not
  ///     enough.
  ///   - isThere: Returns whether a file exists at `system`.
  /// - Returns: Nil for a service at a URL, and for values that only the full program can validate.
  package static func choose(
    for command: FastCommand, environment: (String) -> [UInt8]?, user: UInt32, isServiceUser: () -> Bool,
    isThere: () -> Bool
  ) -> FastService? {
    func variable(_ name: String) -> [UInt8]? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    var timeout = command.timeout
    if timeout == nil, let seconds = variable("PLACARD_TIMEOUT") {
      guard let milliseconds = FastCommand.milliseconds(seconds) else { return nil }
      timeout = milliseconds
    }
    var path: [UInt8]
    if let socket = command.socket ?? variable("PLACARD_SOCKET") {
      path = socket
    } else if variable("PLACARD_URL") != nil {
      return nil
    } else if isThere() || user == 0 || isServiceUser() {
      path = Array(system.utf8)
    } else if let directory = variable("XDG_RUNTIME_DIR"), directory.first == UInt8(ascii: "/") {
      path = directory + Array("/placard/placard.sock".utf8)
    } else {
      path = Array("/tmp/placard-\(user)/placard.sock".utf8)
    }
    guard path.count <= longestPath, path.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    // As in the client library, a request that waits for a frame may take a minute longer.
    return FastService(socket: path, timeout: (timeout ?? 5000) + (command.awaitsFrame ? 60_000 : 0))
  }

  /// The socket of the system-wide service.
  package static let system = "/run/placard/placard.sock"
  /// The maximum path length in bytes: the size of `sun_path` without the NUL (unix(7)).
  static let longestPath = 107

  /// The error message if no answer arrives in time.
  package var timeoutMessage: [UInt8] {
    let tenths = (timeout + 50) / 100
    let seconds = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    let advice = "s. See `placard doctor`, or wait longer with --timeout.\n"
    return Array("placard: The service at ".utf8) + socket + Array(" did not answer within \(seconds) \(advice)".utf8)
  }
}
