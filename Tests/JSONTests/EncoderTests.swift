import JSON
import Testing

private struct Report: Codable, Hashable {
  var zeta = "a/b"
  var alpha: Int?
  var list: [Double?] = [1, nil, 0.5]
  var empty: [String: [Int]] = [:]
}

private class Base: Codable {
  var name = "base"
}

private final class Derived: Base {
  var size = 1

  enum Key: CodingKey { case size }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try super.init(from: container.superDecoder())
    size = try container.decode(Int.self, forKey: .size)
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try super.encode(to: container.superEncoder())
    try container.encode(size, forKey: .size)
  }
}

struct EncoderTests {
  @Test func `keys are sorted, slashes are not escaped, and nil fields are omitted`() throws {
    #expect(try encoded(Report()) == #"{"empty":{},"list":[1,null,0.5],"zeta":"a/b"}"#)
    #expect(
      try encoded(["b": 1, "": 2, "a": 3, "Z": 4, "é": 5, "😀": 6, "\u{FFFF}": 7])
        == "{\"\":2,\"Z\":4,\"a\":3,\"b\":1,\"é\":5,\"\u{FFFF}\":7,\"😀\":6}")
  }

  @Test func `pretty output uses several lines`() throws {
    let text = """
      {
        "empty" : {

        },
        "list" : [
          1,
          null,
          0.5
        ],
        "zeta" : "a/b"
      }
      """
    #expect(try encoded(Report(), pretty: true) == text)
  }

  @Test func `only quotes, backslashes and control characters are escaped`() throws {
    #expect(try encoded("\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}é😀") == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é😀\"")
  }

  @Test func `numbers are as short as possible`() throws {
    #expect(try encoded([1, -0.0, 0.1, 1e16, 1e-5, 5e-300]) == "[1,-0,0.1,1e+16,1e-05,5e-300]")
    #expect(try encoded(Float(0.1)) == "0.1")
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number that JSON cannot represent is refused with its path`(number: Double) throws {
    let error = #expect(throws: EncodingError.self) { try JSON.encode(["a": [0, number]]) }
    guard case .invalidValue(let value, let context) = error else { throw try #require(error) }
    #expect((value as? Double)?.description == number.description)
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
    #expect(context.debugDescription == "JSON has no number for \(number).")
  }

  @Test func `a value without a container is a single JSON value`() throws {
    #expect(try encoded(true) == "true")
    #expect(try encoded(Int?.none) == "null")
    #expect(try encoded("a") == "\"a\"")
    #expect(try encoded([Int]()) == "[]")
    #expect(try encoded([Int??.none, .some(.none), 1]) == "[null,null,1]")
  }

  @Test func `a superclass has its own key`() throws {
    let derived = Derived()
    derived.name = "other"
    derived.size = 2
    #expect(try encoded(derived) == #"{"size":2,"super":{"name":"other"}}"#)
    let read = try JSON.decode(Derived.self, from: JSON.encode(derived))
    #expect(read.name == "other" && read.size == 2)
  }

  @Test func `nested containers may be filled in any order`() throws {
    struct Writing: Encodable {
      enum Key: CodingKey { case a, b, c, d }

      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        var list = object.nestedUnkeyedContainer(forKey: .b)
        var inner = object.nestedContainer(keyedBy: Key.self, forKey: .a)
        try list.encode(1)
        try inner.encodeNil(forKey: .c)
        try list.encodeNil()
        var deepest = list.nestedContainer(keyedBy: Key.self)
        var last = list.nestedUnkeyedContainer()
        #expect(list.count == 4)
        #expect(last.codingPath.map(\.stringValue) == ["b", "Index 3"])
        var end = list.superEncoder().singleValueContainer()
        try end.encode("end")
        try last.encode([true])
        try deepest.encode("x", forKey: .d)
        var again = object.nestedContainer(keyedBy: Key.self, forKey: .a)
        try again.encode(2, forKey: .d)
        _ = object.superEncoder(forKey: .c)
      }
    }
    #expect(try encoded(Writing()) == #"{"a":{"c":null,"d":2},"b":[1,null,{"d":"x"},[[true]],"end"],"c":{}}"#)
  }
}
