import Access
import ControlHTTP
import FoundationEssentials
import Testing

@Suite struct LoginTests {
  private static let bearer = "authorization: Bearer \(WebServing.token)"
  /// The token as form data.
  private static let form = "token=0123456789abcdef%2B%2F%3D"
  private static let formType = "content-type: application/x-www-form-urlencoded"

  @Test func `On loopback without a token, every client is authorized, and there is no login`() async throws {
    try await WebServing.run { web async throws in
      #expect(try await web.status("GET", "/v1/status") == 200)
      let login = try await web.request("GET", "/login")
      #expect(login.hasPrefix("HTTP/1.1 303 ") && header("location", of: login) == "/")
    }
  }

  @Test func `With a token, every client needs it, even on loopback`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let refused = try await web.request("GET", "/v1/status")
      #expect(refused.hasPrefix("HTTP/1.1 401 ") && refused.contains("urn:placard:problem:unauthorized"))
      #expect(header("www-authenticate", of: refused) == "Bearer realm=\"placard\"")
      #expect(try await web.status("PUT", "/v1/message", body: "{\"text\":\"a\"}") == 401)
      #expect(web.serving.service.requests.isEmpty)
      #expect(try await web.status("GET", "/v1/status", [Self.bearer]) == 200)
      #expect(try await web.status("PUT", "/v1/message", [Self.bearer], body: "{\"text\":\"a\"}") == 200)
    }
  }

  @Test(
    "A wrong token is rejected",
    arguments: [
      "Bearer", "Bearer ", "Bearer 0123456789abcdef+/", "Bearer 0123456789abcdef+/=x", "Basic \(WebServing.token)",
      WebServing.token, "Bearer \(WebServing.token) x", "Bearer x\r\nauthorization: Bearer \(WebServing.token)",
    ])
  func wrong(value: String) async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      #expect(try await web.status("GET", "/v1/status", ["authorization: \(value)"]) == 401)
    }
  }

  @Test func `A token in the URL is ignored`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      #expect(try await web.status("GET", "/v1/status?token=\(WebServing.token)") == 401)
    }
  }

  @Test func `A page load without a login is redirected to the login page, which needs no login`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let page = try await web.request("GET", "/", ["accept: text/html,*/*;q=0.8"])
      #expect(page.hasPrefix("HTTP/1.1 303 ") && header("location", of: page) == "/login")
      let login = try await web.request("GET", "/login")
      #expect(login.hasPrefix("HTTP/1.1 200 ") && login.contains("<form method=\"post\" action=\"/login\">"))
      #expect(!login.contains("<script") && !login.contains("style="))
      #expect(header("content-type", of: try await web.request("GET", "/login.css"))?.hasPrefix("text/css") == true)
      #expect(try await web.status("PUT", "/v1/sleep", ["accept: text/html"], body: "{\"asleep\":true}") == 401)
    }
  }

  @Test(arguments: [
    ("de", "Anmelden"), ("de-AT,de;q=0.9,en;q=0.8", "Anmelden"), ("en;q=0.3, DE ; q=0.4", "Anmelden"),
    ("fr,de", "Anmelden"),
    ("en-GB,de", "Log in"), ("fr", "Log in"), ("de;q=0", "Log in"), ("de;q=x", "Log in"), ("", "Log in"),
    (";,;q", "Log in"),
  ])
  func `The login page is in the language that the browser prefers`(tags: String, heading: String) async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let login = try await web.request("GET", "/login", ["accept-language: \(tags)"])
      #expect(login.contains("<h2>\(heading)</h2>") && login.contains("\r\nvary: accept-language\r\n"))
      let wrong = try await web.request("POST", "/login", [Self.formType, "accept-language: de"], body: "token=wrong")
      #expect(wrong.contains("<html lang=\"de\">") && wrong.contains("Das ist nicht das Token."))
    }
  }

  @Test func `The correct token in the form sets a cookie that is valid until the logout`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let answer = try await web.request("POST", "/login", [Self.formType], body: Self.form)
      #expect(answer.hasPrefix("HTTP/1.1 303 ") && header("location", of: answer) == "/")
      let cookie = try #require(header("set-cookie", of: answer))
      #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/") && !cookie.contains("0123456789abcdef"))
      let pair = "cookie: a=b; \(cookie.prefix { $0 != ";" }); c=d"
      #expect(try await web.status("GET", "/v1/status", [pair]) == 200)
      let logout = try await web.request("POST", "/logout", [pair])
      #expect(
        header("location", of: logout) == "/login" && header("set-cookie", of: logout)?.contains("Max-Age=0") == true)
      #expect(try await web.status("GET", "/v1/status", [pair]) == 401)
    }
  }

  @Test(arguments: ["token=wrong", "", "token=", "tokens=0123456789abcdef%2B%2F%3D", "token=%", "token=%zz"])
  func `An invalid form shows the page again and sets no cookie`(form: String) async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let answer = try await web.request("POST", "/login", [Self.formType], body: form)
      #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("That is not the token."))
      #expect(header("set-cookie", of: answer) == nil)
    }
  }

  @Test func `An invented cookie is rejected`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      for cookie in ["placard=", "placard=\(WebServing.token)", "placard=\(String(repeating: "0", count: 64))"] {
        #expect(try await web.status("GET", "/v1/status", ["cookie: \(cookie)"]) == 401)
      }
    }
  }

  @Test func `After five wrong tokens, a client is blocked, even with the correct token`()
    async throws
  {
    try await WebServing.run(token: WebServing.token) { web async throws in
      // All guesses are sent in one write: a guess is forgotten after ten seconds, and a busy machine can be slow to
      // open connections.
      let get = "GET /v1/status HTTP/1.1\r\nhost: 127.0.0.1:\(web.port)\r\n"
      let login = "POST /login HTTP/1.1\r\nhost: 127.0.0.1:\(web.port)\r\n\(Self.formType)\r\nconnection: close\r\n"
      let bytes =
        String(repeating: "\(get)authorization: Bearer guess\r\n\r\n", count: 5) + "\(get)\(Self.bearer)\r\n\r\n"
        + "\(login)content-length: \(Self.form.utf8.count)\r\n\r\n\(Self.form)"
      let answers = try await web.answer(to: bytes).components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(answers.map { $0.prefix(3) } == ["401", "401", "401", "401", "401", "429", "429"])
      let stopped = "HTTP/1.1 " + (answers.dropFirst(5).first ?? "")
      #expect((1...10).contains(Int(header("retry-after", of: stopped) ?? "") ?? 0), "\(stopped)")
    }
  }

  @Test func `Closing the listener closes its connections, and another address opens a new one`()
    async throws
  {
    try await WebServing.run { web in
      let inside = try await web.connect()
      inside.send("GET /v1/status HTTP/1.1\r\nhost: localhost\r\n\r\n")
      #expect(await inside.read(until: "}").hasPrefix("HTTP/1.1 200 "))
      let listen = try #require(ListenAddress(parsing: "127.0.0.2:0"))
      try await web.serving.server.setWeb(WebListenerSettings(listen: listen, rules: AccessRules()), limits: .init())
      _ = await inside.readToEnd()
      #expect(await web.serving.server.webAddress()?.address == listen.address)
      await #expect(throws: (any Error).self) { try await web.connect() }
      try await web.serving.server.setWeb(nil, limits: .init())
      #expect(await web.serving.server.webAddress() == nil)
      #expect(try await web.serving.request("GET", "/v1/status").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `A new token ends the sessions of the previous one, and changed rules apply immediately`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let answer = try await web.request("POST", "/login", [Self.formType], body: Self.form)
      let pair = "cookie: \(try #require(header("set-cookie", of: answer)).prefix { $0 != ";" })"
      let listener = try await web.connect()
      listener.send("GET /v1/events HTTP/1.1\r\nhost: localhost\r\n\(pair)\r\n\r\n")
      #expect(await listener.read(until: "retry").hasPrefix("HTTP/1.1 200 "))
      let listen = try #require(ListenAddress(parsing: "127.0.0.1:0"))
      let other = try WebListenerSettings(
        listen: listen, rules: AccessRules(token: Token(Array("another-token-1234".utf8))))
      try await web.serving.server.setWeb(other, limits: .init())
      #expect(await web.serving.server.webAddress()?.port == web.port)
      // Event streams that were authorized with the previous token have ended.
      _ = await listener.readToEnd()
      #expect(try await web.status("GET", "/v1/status", [pair]) == 401)
      #expect(try await web.status("GET", "/v1/status", ["authorization: Bearer another-token-1234"]) == 200)
    }
  }
}
