import Control
import NIOHTTP1

extension Problem {
  /// What `WWW-Authenticate` asks for.
  static let challenge = "Bearer realm=\"placard\""

  /// 401: who asks is not known.
  static func unauthorized(_ detail: String) -> Problem {
    Problem(401, "unauthorized", title: "A token is needed", detail: detail)
  }

  /// 403: a page of somebody else's wants to change something.
  static var foreignOrigin: Problem {
    Problem(
      403, "foreign-origin", title: "Another page may not do this",
      detail: "The request comes from a page of another origin. Where that page is to be let in, write its origin into "
        + "origins in [controller]; behind a proxy, see that it passes Host and X-Forwarded-Proto on and that proxies "
        + "names it.")
  }

  /// 421: this service is not known by that name.
  static func foreignHost(_ host: String) -> Problem {
    Problem(
      421, "foreign-host", title: "The service is not known by this name",
      detail: "The request was sent to \(host). Where this is a name of this machine, write it into hosts in "
        + "[controller].")
  }

  /// 415: the body is of a type that is not taken here.
  static func unsupportedType(_ wanted: String) -> Problem {
    Problem(
      415, "unsupported-type", title: "The body is of another type",
      detail: "The body must be \(wanted): send the header Content-Type.")
  }

  /// 429: too many came from there.
  static func tooMany(_ seconds: Int) -> Problem {
    Problem(
      429, "too-many", title: "Too many requests",
      detail: "Too many requests came from this address: try again in \(seconds) s.")
  }
}

extension Response {
  /// A refusal of the gate, with the headers that belong to it.
  init(refusing problem: Problem) {
    self.init(problem)
    if problem.status == 401 { headers.add(name: "www-authenticate", value: Problem.challenge) }
  }

  /// 429, and when to come again.
  static func tooMany(_ seconds: Int) -> Response {
    var response = Response(Problem.tooMany(seconds))
    response.headers.add(name: "retry-after", value: "\(seconds)")
    return response
  }

  /// 303: what was asked for is elsewhere.
  static func redirect(to place: String) -> Response {
    var response = Response(.seeOther)
    response.headers.add(name: "location", value: place)
    return response
  }

  /// The way back to the login page, and the cookie taken away.
  static var loggedOut: Response {
    var response = redirect(to: LoginPage.path)
    response.headers.add(
      name: "set-cookie", value: "\(Logins.cookie)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")
    return response
  }

  /// Lets the browser remember its session; scripts and other pages do not get to see it.
  mutating func setCookie(_ id: String, isSecure: Bool) {
    let secure = isSecure ? "; Secure" : ""
    headers.add(name: "set-cookie", value: "\(Logins.cookie)=\(id); HttpOnly; SameSite=Strict; Path=/\(secure)")
  }
}
