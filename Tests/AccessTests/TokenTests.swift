import Access
import Glibc
import Testing

@Suite struct TokenTests {
  private static let right = "correct horse battery".replacing(" ", with: "-")

  @Test func `Tokens are equal only if every character is equal`() throws {
    let token = try #require(Token(Array(Self.right.utf8)))
    #expect(token.matches(Array(Self.right.utf8)))
    for place in Self.right.utf8.indices {
      var bytes = Array(Self.right.utf8)
      bytes[Self.right.utf8.distance(from: Self.right.startIndex, to: place)] ^= 1
      #expect(!token.matches(bytes))
    }
    #expect(!token.matches([]))
    #expect(!token.matches(Array(Self.right.utf8.dropLast())))
    #expect(!token.matches(Array(Self.right.utf8) + [0]))
    #expect(!token.matches(Array(Self.right.utf8) + [UInt8](repeating: 0, count: 1 << 16)))
    #expect(!token.matches([UInt8](repeating: 0, count: 256)))
  }

  @Test func `A token has 16 to 256 printable characters`() {
    #expect(Token([UInt8](repeating: 0x61, count: 15)) == nil)
    #expect(Token([UInt8](repeating: 0x61, count: 16)) != nil)
    #expect(Token([UInt8](repeating: 0x61, count: 256)) != nil)
    #expect(Token([UInt8](repeating: 0x61, count: 257)) == nil)
    for byte in [0, 10, 32, 127, 255] as [UInt8] { #expect(Token([UInt8](repeating: byte, count: 20)) == nil) }
  }

  @Test func `The description of a token does not reveal it`() throws {
    let token = try #require(Token(Array(Self.right.utf8)))
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), String(describing: AccessRules(token: token)), dumped] {
      #expect(!text.contains("horse") && !text.contains("99"))
    }
  }
}

@Suite struct TokenFileTests {
  /// Calls `body` with the path of a file that has this text and mode.
  private func with(_ text: String, mode: mode_t = 0o600, _ body: (String) throws -> Void) throws {
    var template = Array("/tmp/placard-token-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unsafe unlink(path) }
    let bytes = Array(text.utf8)
    try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    try #require(fchmod(descriptor, mode) == 0)
    close(descriptor)
    try body(path)
  }

  private func refusal(_ path: String) -> String? {
    do throws(TokenFileError) {
      _ = try TokenFile.read(path)
      return nil
    } catch { return error.description }
  }

  @Test(arguments: [0o600, 0o400] as [mode_t])
  func `A private file contains the token, with or without a final newline`(mode: mode_t) throws {
    for end in ["", "\n"] {
      try with("0123456789abcdef" + end, mode: mode) { path throws in
        #expect(try TokenFile.read(path).matches(Array("0123456789abcdef".utf8)))
      }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o700, 0o4600, 0o602] as [mode_t])
  func `A file that others can access is rejected, with its path and a command that fixes it`(mode: mode_t) throws {
    try with("0123456789abcdef", mode: mode) { path throws in
      let words = try #require(refusal(path))
      #expect(words.contains(path) && words.contains("mode 0") && words.contains("install -m 600"))
    }
  }

  @Test func `A symbolic link is rejected, whatever its target`() throws {
    try with("0123456789abcdef") { path throws in
      let link = path + ".link"
      try #require(unsafe symlink(path, link) == 0)
      defer { unsafe unlink(link) }
      #expect(refusal(link)?.contains("is a symbolic link") == true)
    }
  }

  @Test func `A file of another user is rejected`() throws {
    guard geteuid() == 0 else { return }
    try with("0123456789abcdef") { path throws in
      try #require(unsafe chown(path, 65534, 65534) == 0)
      #expect(refusal(path)?.contains("belongs to user 65534") == true)
    }
  }

  @Test(arguments: [
    "", "short", "0123456789abcdef\n\n", "0123456789 abcdef", "0123456789abcdef\nmore", "0123456789abcdé",
  ])
  func `A file with an invalid token is rejected, and the error does not reveal its content`(text: String) throws {
    try with(text) { path throws in
      let words = try #require(refusal(path))
      #expect(words.contains("16 to 256") && !words.contains("0123456789"))
    }
    try with(String(repeating: "a", count: 257)) { path throws in #expect(refusal(path)?.contains("16 to 256") == true)
    }
  }

  @Test func `A path that is not a regular file is rejected, and a FIFO does not block`() throws {
    #expect(refusal("/tmp/placard-no-such-token")?.contains("does not exist") == true)
    #expect(refusal("/tmp")?.contains("is not a regular file") == true)
    let path = "/tmp/placard-token-fifo-\(getpid())"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    defer { unsafe unlink(path) }
    #expect(refusal(path)?.contains("is not a regular file") == true)
  }

  @Test func `A listen address that is not loopback needs a token`() throws {
    let open = try #require(ListenAddress(parsing: "0.0.0.0:8080"))
    #expect(throws: OpenListenerError(listen: open)) { try WebListenerSettings(listen: open, rules: AccessRules()) }
    #expect("\(OpenListenerError(listen: open))".contains("token_file"))
    _ = try WebListenerSettings(listen: open, rules: AccessRules(token: Token(Array("0123456789abcdef".utf8))))
    for text in ["127.0.0.1:0", "[::1]:0"] {
      _ = try WebListenerSettings(listen: try #require(ListenAddress(parsing: text)), rules: AccessRules())
    }
  }
}
