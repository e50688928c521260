import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

/// The decision on a request, based on its head.
struct AuthorizationDecision {
  enum Verdict {
    /// The request goes on to the service.
    case pass
    /// The request is answered at once, without its body.
    case answer(Response)
    /// The request submits the login form, and is answered in the words.
    case login(LoginWords)
  }

  var verdict: Verdict
  /// The allowed origin whose page may read the answer; nil for other requests.
  var allowedOrigin: WebOrigin?
  /// The client of the request; nil over the Unix socket, where every client that can connect may do anything.
  var requestPeer: RequestPeer?

  /// The decision on requests over the Unix socket.
  static let trusted = AuthorizationDecision(verdict: .pass)
}

/// The authorizer, which decides on requests over TCP before their bodies are read.
///
/// Each server has one, confined to its event loop.
final class RequestAuthorizer {
  /// The access rules; another token ends all login sessions.
  var rules: AccessRules {
    didSet { if rules.token != oldValue.token { logins.closeAll() } }
  }
  private var logins = Logins()
  private var requests: RateLimiter
  private let names: Set<String>
  private let rejections: RejectionCounters
  private let logger: Logger

  /// Creates an authorizer for a machine with a host name.
  init(_ rules: AccessRules, limits: AccessLimits, hostName: String?, rejections: RejectionCounters, logger: Logger) {
    self.rules = rules
    self.rejections = rejections
    self.logger = logger
    requests = RateLimiter(rate: Double(limits.requestsPerSecond), burst: Double(limits.requestsBurst))
    // The name with and without its domain, and as mDNS publishes it.
    let host = hostName ?? "localhost"
    let short = String(host.prefix { $0 != "." })
    names = ["localhost", host, short, "\(short).local"]
  }

  /// Applies new request limits.
  func setLimits(_ limits: AccessLimits) {
    requests.rate = Double(limits.requestsPerSecond)
    requests.burst = Double(limits.requestsBurst)
  }

  /// Returns whether an address is a trusted proxy, which forwards the requests of many clients.
  func isProxy(_ address: IPAddress) -> Bool { rules.proxies.contains { $0.contains(address) } }

  /// Decides on a request by its head.
  func authorize(_ head: HTTPRequestHead, from peer: WebPeer, at now: NIODeadline) -> AuthorizationDecision {
    var decision = AuthorizationDecision(verdict: .pass)
    do throws(Problem) {
      let requestPeer = try RequestPeer(head, from: peer, proxies: rules.proxies)
      decision.requestPeer = requestPeer
      try checkHost(requestPeer.origin.authority, peer)
      if let seconds = requests.consume(requestPeer.address, at: now) {
        rejections.count(.requestsPerSecond, of: requestPeer.client, at: now)
        decision.verdict = .answer(.tooMany(seconds))
        return decision
      }
      decision.allowedOrigin = allowedOrigin(head)
      try checkOrigin(head, requestPeer, decision.allowedOrigin)
      try checkType(head)
      decision.verdict = try verdict(head, requestPeer, at: now, isFromAllowedOrigin: decision.allowedOrigin != nil)
    } catch {
      decision.verdict = .answer(Response(refusing: error))
    }
    return decision
  }

  /// Checks the token in the login form and returns the response.
  func logIn(
    _ body: [UInt8], _ requestPeer: RequestPeer?, at now: NIODeadline, in words: LoginWords
  ) -> Response {
    guard let token = rules.token, let requestPeer else { return .redirect(to: "/") }
    if let seconds = logins.wait(requestPeer.address, at: now) {
      var response = LoginPage.response(.tooManyRequests, in: words, saying: words.tooManyAttempts(wait: seconds))
      response.headers.add(name: "retry-after", value: "\(seconds)")
      return response
    }
    guard token.matches(FormBody.value(of: "token", in: body)) else {
      fail(requestPeer, at: now)
      var response = LoginPage.response(.unauthorized, in: words, saying: words.wrongToken)
      response.headers.add(name: "www-authenticate", value: Problem.challenge)
      return response
    }
    logins.succeeded(requestPeer.address)
    logger.info("\(requestPeer.address) logged in")
    var response = Response.redirect(to: "/")
    response.setCookie(logins.open(at: now), isSecure: requestPeer.origin.scheme == "https")
    return response
  }
}

// MARK: - Origin

extension RequestAuthorizer {
  /// Rejects a host name that is not this machine's; in DNS rebinding, `Host` has the name of the foreign page.
  private func checkHost(_ authority: Authority, _ peer: WebPeer) throws(Problem) {
    if names.contains(authority.host) || rules.hosts.contains(authority.host) { return }
    if let address = authority.address, address == peer.own || address.isLoopback { return }
    throw .foreignHost(authority.host)
  }

  /// Returns the origin of another page if the access rules allow it.
  private func allowedOrigin(_ head: HTTPRequestHead) -> WebOrigin? {
    let origins = head.headers["origin"]
    guard origins.count == 1, let origin = WebOrigin(parsing: origins[0]) else { return nil }
    return rules.origins.contains(origin) ? origin : nil
  }

  /// Rejects a request that makes a change, unless it comes from this server's page, an allowed origin or no page at
  /// all.
  private func checkOrigin(_ head: HTTPRequestHead, _ requestPeer: RequestPeer, _ allowedOrigin: WebOrigin?)
    throws(Problem)
  {
    guard allowedOrigin == nil, ![.GET, .HEAD].contains(head.method) else { return }
    let origins = head.headers["origin"]
    if let origin = origins.first {
      guard origins.count == 1, WebOrigin(parsing: origin) == requestPeer.origin else { throw .foreignOrigin }
    } else if let site = head.headers.first(name: "sec-fetch-site") {
      guard ["same-origin", "none"].contains(site.lowercased()) else { throw .foreignOrigin }
    }
  }

  /// Rejects unexpected content types, among them those that another page can send without a preflight (forms, text).
  private func checkType(_ head: HTTPRequestHead) throws(Problem) {
    guard head.hasBody else { return }
    let types = head.headers["content-type"]
    let type = types.first.map { $0.prefix { $0 != ";" }.withoutSpace.lowercased() } ?? ""
    let path = RequestTarget.path(of: head.uri)
    let isForm = [LoginPage.path, Self.logoutPath].contains(String(path))
    let wanted = isForm ? "application/x-www-form-urlencoded" : "application/json"
    let isForImages = path == "/v1/images"
    let isForEvents = path.hasPrefix("/v1/library/") && path.hasSuffix("/events")
    let isForRows = path.hasPrefix("/v1/values/") && path.hasSuffix("/rows")
    let file = isForEvents ? "text/calendar" : isForRows ? "text/csv" : nil
    let isFile = isForImages ? type.hasPrefix("image/") : type == file
    guard types.count == 1, type == wanted || isFile else {
      throw .unsupportedType(isForImages ? "image/png or image/jpeg" : file ?? wanted)
    }
  }
}

// MARK: - Authentication

extension RequestAuthorizer {
  private static let logoutPath = "/logout"

  private func verdict(
    _ head: HTTPRequestHead, _ requestPeer: RequestPeer, at now: NIODeadline, isFromAllowedOrigin: Bool
  ) throws(Problem) -> AuthorizationDecision.Verdict {
    let path = RequestTarget.path(of: head.uri)
    switch (path, head.method) {
    case (_, .OPTIONS) where isFromAllowedOrigin && head.headers.contains(name: "access-control-request-method"):
      return .answer(SecurityHeaders.preflight)
    case (LoginPage.stylePath[...], .GET), (LoginPage.stylePath[...], .HEAD): return .answer(LoginPage.styleResponse)
    case (LoginPage.path[...], .GET), (LoginPage.path[...], .HEAD):
      return .answer(rules.token == nil ? .redirect(to: "/") : LoginPage.response(in: .preferred(head.headers)))
    case (LoginPage.path[...], .POST): return .login(.preferred(head.headers))
    case (Self.logoutPath[...], .POST):
      logins.close(head.cookies(Logins.cookie))
      return .answer(.loggedOut)
    case (LoginPage.path[...], _), (LoginPage.stylePath[...], _), (Self.logoutPath[...], _):
      throw .method(head.method.rawValue, on: String(path), allow: path == Self.logoutPath ? "POST" : "GET, HEAD, POST")
    default: return try identify(head, requestPeer, at: now)
    }
  }

  private func fail(_ requestPeer: RequestPeer, at now: NIODeadline) {
    logins.failed(requestPeer.address, at: now)
    rejections.countWrongToken(of: requestPeer.client, at: now)
  }

  private func identify(
    _ head: HTTPRequestHead, _ requestPeer: RequestPeer, at now: NIODeadline
  ) throws(Problem) -> AuthorizationDecision.Verdict {
    guard let token = rules.token else { return .pass }
    if logins.use(head.cookies(Logins.cookie), at: now) { return .pass }
    if let bearer = head.bearer {
      if let seconds = logins.wait(requestPeer.address, at: now) { return .answer(.tooMany(seconds)) }
      if token.matches(bearer) {
        logins.succeeded(requestPeer.address)
        return .pass
      }
      fail(requestPeer, at: now)
      throw .unauthorized("The token is wrong: send the content of the service's token file.")
    }
    let wantsPage = head.headers[canonicalForm: "accept"].contains { $0.hasPrefix("text/html") }
    let isPage = [.GET, .HEAD].contains(head.method) && wantsPage
    if isPage, !RequestTarget.path(of: head.uri).hasPrefix("/v1/") { return .answer(.redirect(to: LoginPage.path)) }
    throw .unauthorized(
      "The request has no token: send the header Authorization: Bearer TOKEN, or log in at /login.")
  }
}

extension HTTPRequestHead {
  /// Whether the request has a body.
  var hasBody: Bool {
    headers.contains(name: "transfer-encoding") || headers["content-length"].contains { $0 != "0" }
  }

  /// The problem with a request that is refused whatever its target; nil if there is none.
  ///
  /// A proxy may ignore Transfer-Encoding in HTTP/1.0, which makes the end of the body ambiguous, and an unsupported
  /// transfer coding hides the body (RFC 9112, 6.1). Expectations other than 100-continue are not supported (RFC 9110,
  /// 10.1.1); HTTP/1.0 has none.
  var refusal: Problem? {
    let isOld = version.minor < 1
    let codings = headers["transfer-encoding"].joined(separator: ", ")
    if isOld, headers.contains(name: "transfer-encoding") {
      return .malformed("HTTP/1.0 does not support Transfer-Encoding: send a Content-Length.")
    }
    if headers.contains(name: "transfer-encoding"), codings.lowercased() != "chunked" { return .unknownCoding(codings) }
    let expectations = headers["expect"].joined(separator: ", ")
    guard !isOld, headers.contains(name: "expect"), expectations.lowercased() != "100-continue" else { return nil }
    return .unmetExpectation(expectations)
  }

  /// Returns the values of the cookies with a name.
  func cookies(_ name: String) -> [String] {
    headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.utf8.count + 1)) : nil
    }
  }

  /// The bearer token in the Authorization header; nil without the header, empty if it is repeated or malformed.
  fileprivate var bearer: [UInt8]? {
    let lines = headers["authorization"]
    guard let line = lines.first else { return nil }
    let parts = line.split(separator: " ", maxSplits: 1)
    guard lines.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else { return [] }
    return Array(parts[1].utf8)
  }
}
