import FoundationEssentials
import JSON
import SeededRandom
import Testing

struct Base64Tests {
  /// RFC 4648, section 10.
  static let examples = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: examples)
  func `the examples of the RFC are encoded and decoded`(text: String, base64: String) {
    #expect(Base64.encode(text.utf8) == base64)
    #expect(Base64.decode(base64) == Array(text.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "=", "==", "===", "====", "Z===", "Zg==Zg==", "Zm8=\n", "Zm 8", " Zm9v", "Zm9v\r\n",
    "Zm9_", "Zm9-", "Zm9é", "Zh==", "Zm9=", "Zm=v", "Z=m9", "\0\0\0\0",
  ])
  func `invalid text is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(arguments: 0..<100)
  func `any bytes round-trip and match Foundation's encoding`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }
}
