import JSON
import Testing

struct ParserTests {
  @Test(arguments: [
    ("null", Anything.null), (" true\n", .bool(true)), ("\t\r\n false ", .bool(false)), ("0", .integer(0)),
    ("-0", .integer(0)), ("-12", .integer(-12)), ("0.5", .number(0.5)), ("-1.5E-2", .number(-0.015)),
    ("1e2", .integer(100)), ("12.50e1", .integer(125)), ("\"\"", .text("")), ("[]", .list([])), ("{}", .object([:])),
    ("[ 1 , [ ] ]", .list([.integer(1), .list([])])), ("{ \"\" : { } }", .object(["": .object([:])])),
    ("{\"a\":1,\"b\":[null]}", .object(["a": .integer(1), "b": .list([.null])])),
  ])
  func `a value of each kind is read`(text: String, value: Anything) throws {
    #expect(try decoded(text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulL", "True", "01", "-01", "+1", "-", "1.", ".5", "1.e5", "1e", "1e+", "0x1", "--1", "NaN",
    "Infinity", "'a'", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\uD83D\"", "\"\\uDE00\"",
    "\"\\uD83Dx\"", "\"\\uD83D\\u0041\"", "\"\\uDE00\\uD83D\"", "\"\n\"", "\"\0\"", "\"\u{1F}\"", "[", "[1", "[1,",
    "[1,]", "[,1]", "[1 2]", "[1}", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}",
    "{a:1}", "{\"a\" 1}", "{1:1}", "{\"a\":1]", "1 2", "[] x", "null,", "\u{FEFF}1", "/* */1", "1 // one", "1\0",
    "\u{A0}1", "é",
  ])
  func `text that is not JSON is refused`(text: String) throws {
    let failure = try #require(refusal(of: text, as: Anything.self))
    #expect(failure.kind == "dataCorrupted" && failure.path.isEmpty)
  }

  @Test func `escapes and surrogate pairs are read`() throws {
    let text = #""\"\\\/\b\f\n\r\t\u0000\u00fcü\uD83D\ude00😀\uFFFF""#
    #expect(try decoded(text) == "\"\\/\u{8}\u{C}\n\r\t\0üü😀😀\u{FFFF}")
  }

  @Test(
    arguments: [
      [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
      Array("\u{E9}\\n".utf8.dropFirst()),
    ] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
    let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    #expect(throws: DecodingError.self) { try JSON.decode(String.self, from: quoted) }
  }

  @Test func `an error names the line, the column, what was expected and what was found`() {
    let cases = [
      ("{\n  \"é\": 1\n  \"b\": 2}", "Line 3, column 3: expected ',' or '}', found \"\\\"\"."),
      ("{\"é\": x}", "Line 1, column 7: expected a value, found \"x\"."),
      ("[1", "Line 1, column 3: expected ',' or ']', found the end."),
      ("[]\n]", "Line 2, column 1: expected the end of the text, found \"]\"."),
      ("[\u{A0}]", "Line 1, column 2: expected a value, found a non-ASCII character."),
    ]
    for (text, sentence) in cases { #expect(refusal(of: text, as: Anything.self)?.sentence == sentence) }
  }

  @Test func `the nesting depth is limited, and a million brackets are refused`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    _ = try decoded(nested(128), as: Anything.self)
    #expect(refusal(of: nested(129), as: Anything.self)?.sentence.contains("at most 128 nested levels") == true)
    for bomb in ["[", "{\"a\":", "[{\"\":"] {
      #expect(throws: DecodingError.self) {
        try decoded(String(repeating: bomb, count: 1_000_000), as: Anything.self)
      }
    }
  }

  @Test func `the first of duplicate keys counts`() throws {
    #expect(try decoded(#"{"a":1,"a":2,"\u0061":3}"#) == ["a": 1])
  }

  @Test func `documents that are truncated at any byte are refused`() throws {
    let document = Array(#"{"a":[1.5e3,-2,"é\u00e9\n\ud83d\ude00",true,false,null,{}],"b":{"c":[[]]}}"#.utf8)
    _ = try JSON.decode(Anything.self, from: document)
    for count in document.indices {
      #expect(throws: DecodingError.self, "\(count) bytes") {
        try JSON.decode(Anything.self, from: document.prefix(count))
      }
    }
  }

  @Test func `the time grows linearly with the size`() throws {
    let text = String(repeating: "QUJD", count: 1 << 15)
    #expect(try JSON.decode(String.self, from: JSON.encode(text)) == text)
    let escaped = String(repeating: "\\\"\n\u{1}é", count: 1 << 14)
    #expect(try JSON.decode(String.self, from: JSON.encode(escaped)) == escaped)
    let numbers = Array(0..<20_000)
    #expect(try JSON.decode([Int].self, from: JSON.encode(numbers)) == numbers)
    let members = Dictionary(uniqueKeysWithValues: numbers.prefix(10_000).map { ("key \($0)", [$0]) })
    #expect(try JSON.decode([String: [Int]].self, from: JSON.encode(members)) == members)
    let blanks = String(repeating: " \n", count: 1 << 15)
    #expect(try decoded(blanks + "1" + blanks) == 1)
    let digits = String(repeating: "1", count: 1 << 16)
    #expect(try decoded("0." + digits) == 0.1111111111111111)
    #expect(refusal(of: digits, as: Int.self)?.kind == "dataCorrupted")
    #expect(refusal(of: "1" + String(repeating: "0", count: 1 << 16), as: Int.self)?.kind == "dataCorrupted")
    #expect(refusal(of: digits + "e1", as: Int.self)?.sentence.utf8.count ?? .max < 100)
  }
}
