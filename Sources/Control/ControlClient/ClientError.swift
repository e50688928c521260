public import Control

/// The reason that a call to the service failed.
public enum ClientError: Error, Hashable, Sendable {
  /// No process listens on the socket at this path.
  case noService(String)
  /// The socket exists, but this user may not connect to it.
  case notPermitted(String)
  /// No connection to this URL could be established; the second value is the reason.
  case unreachable(String, String)
  /// The service at this path or URL did not answer within this number of seconds.
  case noAnswer(String, seconds: Double)
  /// The service at this path accepts no connections: its queue of pending connections is full.
  case queueFull(String)
  /// This is not the address of a service.
  case badAddress(String)
  /// The service at this URL requires a token, or rejected the one that was sent.
  case tokenRequired(String)
  /// The service refused the request.
  case refused(ControlError)
  /// The response is malformed or incomplete, or the request cannot be encoded; the value describes the problem.
  case protocolError(String)
}

extension ClientError: CustomStringConvertible {
  /// An error message for the user, with the next step.
  public var description: String {
    switch self {
    case .noService(let path):
      "No service listens on \(path). Start it: systemctl start placard, or placardd, or scripts/run in its source."
    case .notPermitted(let path):
      "\(path): permission denied. Join its group: sudo usermod -aG placard $USER, then log in again."
    case .unreachable(let url, let reason):
      "No service answers at \(url): \(reason). Check `listen` in the configuration of placardd."
    case .noAnswer(let place, let seconds):
      "The service at \(place) did not answer within \(Self.text(seconds)) s. See `placard doctor`, or wait longer with "
        + "--timeout."
    case .queueFull(let place):
      "The service at \(place) accepts no connections: its queue is full, so it hangs or is stopped. See `placard doctor`."
    case .badAddress(let text):
      "\(text) is not the address of a service: write http://HOST:PORT (https is not supported)."
    case .tokenRequired(let url):
      "The service at \(url) requires a token: the content of its token file. Ask your administrator."
    case .refused(let error): error.message
    case .protocolError(let text): text
    }
  }

  /// Returns seconds with at most one decimal: `5` or `0.5`.
  private static func text(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e9) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
