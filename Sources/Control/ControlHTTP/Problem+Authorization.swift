import Control
import NIOHTTP1

extension Problem {
  /// The challenge in `WWW-Authenticate`.
  static let challenge = "Bearer realm=\"placard\""

  /// Returns the 401 problem for a client that is not authenticated.
  static func unauthorized(_ detail: String) -> Problem {
    Problem(401, "unauthorized", title: "A token is required", detail: detail)
  }

  /// The 403 problem for a change requested by a page of another origin.
  static var foreignOrigin: Problem {
    Problem(
      403, "foreign-origin", title: "The origin is not allowed",
      detail: "The request comes from a page of another origin. To allow that page, add its origin to origins in "
        + "[controller]. Behind a proxy, check that the proxy passes on Host and X-Forwarded-Proto, and that proxies "
        + "contains its address.")
  }

  /// Returns the 421 problem for a host name that is not this machine's.
  static func foreignHost(_ host: String) -> Problem {
    Problem(
      421, "foreign-host", title: "The host name is not allowed",
      detail: "The request was sent to \(host). If this is a name of this machine, add it to hosts in "
        + "[controller].")
  }

  /// Returns the 415 problem for a body of an unsupported type.
  static func unsupportedType(_ wanted: String) -> Problem {
    Problem(
      415, "unsupported-type", title: "The type of the body is not supported",
      detail: "The body must be \(wanted): send the header Content-Type.")
  }

  /// Returns the 429 problem for too many requests from one address.
  static func tooMany(_ seconds: Int) -> Problem {
    Problem(
      429, "too-many", title: "Too many requests",
      detail: "Too many requests came from this address: try again in \(seconds) s.")
  }
}

extension Response {
  /// Creates the response to a refused request, with the headers that its status requires.
  init(refusing problem: Problem) {
    self.init(problem)
    if problem.status == 401 { headers.add(name: "www-authenticate", value: Problem.challenge) }
  }

  /// Returns the 429 response with the delay before the next attempt.
  static func tooMany(_ seconds: Int) -> Response {
    var response = Response(Problem.tooMany(seconds))
    response.headers.add(name: "retry-after", value: "\(seconds)")
    return response
  }

  /// Returns a 303 redirect to another path.
  static func redirect(to place: String) -> Response {
    var response = Response(.seeOther)
    response.headers.add(name: "location", value: place)
    return response
  }

  /// The redirect to the login page that deletes the cookie.
  static var loggedOut: Response {
    var response = redirect(to: LoginPage.path)
    response.headers.add(
      name: "set-cookie", value: "\(Logins.cookie)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")
    return response
  }

  /// Sets the session cookie, which scripts cannot read and other sites cannot send.
  mutating func setCookie(_ id: String, isSecure: Bool) {
    let secure = isSecure ? "; Secure" : ""
    headers.add(name: "set-cookie", value: "\(Logins.cookie)=\(id); HttpOnly; SameSite=Strict; Path=/\(secure)")
  }
}
