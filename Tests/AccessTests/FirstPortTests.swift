import Testing

@testable import Access

struct FirstPortTests {
  @Test(
    "The first unprivileged port follows the process's capabilities and the system's setting",
    arguments: [
      ("Name:\tplacardd\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n", "1024\n", 1024),
      ("CapEff:\t0000000000000000", "80\n", 80), ("CapEff:\t0000000000000000", "0\n", 0),
      ("CapEff:\t0000000000000000", nil, 1024), ("CapEff:\t0000000000000000", "none", 1024),
      ("CapEff:\t0000000000000400", "1024\n", 0), ("CapEff:\t000001ffffffffff", "1024\n", 0),
      ("CapEff:\t000001fffffffbff", "1024\n", 1024), ("CapEff:\tnone", "1024\n", 0), (nil, "1024\n", 0),
    ] as [(String?, String?, Int)])
  func firstPort(status: String?, setting: String?, first: Int) {
    #expect(Machine.firstPort(status: status, setting: setting) == first)
  }

  @Test(
    "A listen address is checked against the token and the first unprivileged port",
    arguments: [
      ("127.0.0.1:8080", false, 1024, nil), ("127.0.0.1:0", false, 1024, nil), ("*:8080", true, 1024, nil),
      ("[::1]:80", false, 1024, "from 1024"), ("*:80", true, 81, "from 81"), ("*:80", true, 80, nil),
      ("0.0.0.0:8080", false, 0, "token_file"),
      ("192.0.2.1:8080", false, 0, "every host that can reach 192.0.2.1:8080"),
    ] as [(String, Bool, Int, String?)])
  func judged(text: String, hasToken: Bool, firstPort: Int, words: String?) throws {
    let refusal = try #require(ListenAddress(parsing: text)).refusal(hasToken: hasToken, firstPort: firstPort)
    if let words { #expect(refusal?.contains(words) == true) } else { #expect(refusal == nil) }
  }
}
