import Access
import Testing

@Suite struct AddressTests {
  @Test(
    "Addresses are parsed, and formatted unchanged",
    arguments: ["127.0.0.1", "192.0.2.255", "::1", "2001:db8::1", "fe80::1", "::", "0.0.0.0"])
  func addresses(text: String) throws {
    #expect(try #require(IPAddress(parsing: text)).description == text)
  }

  @Test(
    "Invalid addresses are rejected",
    arguments: [
      "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "::g", "fe80::1%eth0", "[::1]", "1.2.3.4\0", " 1.2.3.4",
    ])
  func noAddresses(text: String) { #expect(IPAddress(parsing: text) == nil) }

  @Test func `An IPv4 address equals its IPv4-mapped IPv6 address`() {
    #expect(IPAddress(parsing: "::ffff:192.0.2.1") == IPAddress(parsing: "192.0.2.1"))
  }

  @Test func `Loopback addresses are recognized`() throws {
    for text in ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"] {
      #expect(try #require(IPAddress(parsing: text)).isLoopback)
    }
    for text in ["128.0.0.1", "0.0.0.0", "::", "::2", "192.168.0.1", "1::7f00:1"] {
      #expect(try !#require(IPAddress(parsing: text)).isLoopback)
    }
    #expect(try #require(IPAddress(parsing: "169.254.7.1")).isLinkLocal)
    #expect(try #require(IPAddress(parsing: "fe80::1")).isLinkLocal)
  }

  @Test func `All addresses of an IPv6 /64 network share one key for limits`() throws {
    let shares = try ["2001:db8::1", "2001:db8::ffff", "192.0.2.1", "192.0.2.2"].map {
      try #require(IPAddress(parsing: $0)).share
    }
    #expect(shares[0] == shares[1] && shares[2] != shares[3])
  }

  @Test(
    "A range contains only its own addresses",
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.7", "192.0.2.7", true),
      ("192.0.2.7", "192.0.2.6", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
      ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
      ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::/0", "192.0.2.1", true),
    ])
  func ranges(range: String, address: String, isIn: Bool) throws {
    let range = try #require(AddressRange(parsing: range))
    #expect(range.contains(try #require(IPAddress(parsing: address))) == isIn)
  }

  @Test(
    "Invalid ranges are rejected",
    arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "/8", "a/8", "1.2.3.4/+8"])
  func noRanges(text: String) { #expect(AddressRange(parsing: text) == nil) }

  @Test(
    "A listen address consists of an address and a port",
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:80", "[::1]:80"), ("*:8080", "[::]:8080"),
      ("localhost:0", "127.0.0.1:0"), ("0.0.0.0:65535", "0.0.0.0:65535"),
    ])
  func listens(text: String, written: String) {
    #expect(ListenAddress(parsing: text)?.description == written)
  }

  @Test(
    "Invalid listen addresses are rejected",
    arguments: [
      "8080", ":8080", "127.0.0.1", "127.0.0.1:", "::1:80", "[127.0.0.1]:80", "1.2.3.4:65536", "a.b:80", "1.2.3.4:+1",
    ])
  func noListens(text: String) { #expect(ListenAddress(parsing: text) == nil) }

  @Test(
    "Origins are compared as in browsers",
    arguments: [
      ("HTTP://Sign.Example", "http://sign.example"), ("http://sign.example:80", "http://sign.example"),
      ("https://sign.example:443", "https://sign.example"), ("https://sign.example.:8443", "https://sign.example:8443"),
      ("http://[::0001]:8080", "http://[::1]:8080"),
    ])
  func origins(text: String, written: String) { #expect(WebOrigin(parsing: text)?.description == written) }

  @Test(
    "Invalid origins are rejected",
    arguments: [
      "null", "", "sign.example", "http://", "http://a/b", "ftp://a", "http://a b", "http://a@b", "http://a:",
      "http://a:x",
      "http://a:99999", "http://[::1", "http://[::1]x", "http://ä",
    ])
  func noOrigins(text: String) { #expect(WebOrigin(parsing: text) == nil) }
}
