import Primitives
import Testing

struct PrimitivesTests {
  @Test(
    arguments: [(7, 3, 2, 1), (6, 3, 2, 0), (0, 3, 0, 0), (-1, 3, -1, 2), (-3, 3, -1, 0), (-4, 3, -2, 2)]
      as [(Int, Int, Int, Int)])
  func `A division rounds down, and its remainder is not negative`(
    number: Int, divisor: Int, quotient: Int, rest: Int
  ) {
    #expect(floorDivide(number, divisor) == quotient)
    #expect(floorModulo(number, divisor) == rest)
  }

  @Test func `The largest and the smallest number are divided`() {
    #expect(floorDivide(Int64.min, 1) == .min && floorModulo(Int64.min, 1) == 0)
    #expect(floorDivide(Int64.min, .max) == -2 && floorModulo(Int64.min, .max) == .max - 1)
    #expect(floorDivide(Int64.max, .max) == 1 && floorModulo(Int64.max, .max) == 0)
  }

  /// The values are test vectors of RFC 9923.
  @Test(
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func `A hash is that of the RFC`(text: String, hash: UInt64) {
    #expect(FNV1a.hash(text.utf8) == hash)
  }

  @Test func `A hash continues after other bytes`() {
    #expect(FNV1a.hash("bar".utf8, after: FNV1a.hash("foo".utf8)) == FNV1a.hash("foobar".utf8))
  }

  @Test func `Hexadecimal digits are padded but never cut`() {
    #expect(Hex.digits(0, 4) == "0000" && Hex.digits(0xA0C4, 4) == "a0c4" && Hex.digits(0x12345, 4) == "12345")
    #expect(Hex.digits(.max, 16) == "ffffffffffffffff")
  }

  @Test(arguments: [("Az09-._~", "Az09-._~"), ("a b/c", "a%20b%2Fc"), ("é\n", "%C3%A9%0A"), ("", ""), ("%+", "%25%2B")])
  func `A text is escaped, and its escapes are decoded`(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded.utf8) == Array(text.utf8))
  }

  @Test(arguments: [("%2f", "/"), ("a+b c", "a+b c"), ("é", "é")])
  func `Escapes in lower case are decoded, and other bytes stay`(encoded: String, text: String) {
    #expect(PercentEncoding.decode(encoded.utf8) == Array(text.utf8))
  }

  @Test(arguments: ["%", "%2", "a%g0", "%0g", "%+1", "%%41"])
  func `A percent sign needs two hexadecimal digits`(encoded: String) {
    #expect(PercentEncoding.decode(encoded.utf8) == nil)
  }

  @Test func `Decoded bytes may be invalid UTF-8`() {
    #expect(PercentEncoding.decode("%FF%00".utf8) == [0xFF, 0])
  }

  @Test(arguments: [("HDMI-A-1: dark", "A-1: ", 5), ("é – é", "é", 0), ("none", "nun", nil), ("", "a", nil)])
  func `The first occurrence of a text is found`(text: String, wanted: String, offset: Int?) {
    let range = text.firstRange(ofText: wanted)
    #expect(range.map { text.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
    #expect(range.map { String(text[$0]) } ?? wanted == wanted)
  }
}
