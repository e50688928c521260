import JSON
import Testing

private struct Field: Decodable {
  var name: String
  var size: Int8?
  var parts: [[Int]]?
}

private enum Shape: Codable, Hashable {
  case circle(radius: Int)
  case line(Int, to: Int)
  case point
}

struct DecoderTests {
  @Test func `integers are exact up to the limits of every type`() throws {
    func isExact<T: FixedWidthInteger & Codable>(_: T.Type) throws -> Bool {
      let ends = [T.min, T.max, 0, 1]
      return try JSON.decode([T].self, from: JSON.encode(ends)) == ends && encoded(ends) == "[\(T.min),\(T.max),0,1]"
    }
    let signed = try [
      isExact(Int.self), isExact(Int8.self), isExact(Int16.self), isExact(Int32.self), isExact(Int64.self),
      isExact(Int128.self),
    ]
    let unsigned = try [
      isExact(UInt.self), isExact(UInt8.self), isExact(UInt16.self), isExact(UInt32.self), isExact(UInt64.self),
      isExact(UInt128.self),
    ]
    #expect(!signed.contains(false) && !unsigned.contains(false))
  }

  @Test(arguments: [
    ("1.0", 1), ("1e2", 100), ("-1.20E+1", -12), ("1200e-2", 12), ("0.0", 0), ("-0e9", 0),
    ("0e99999999999999999999", 0), ("0.000001e6", 1), ("9223372036854775807.000", .max),
    ("-92233720368547758.08e2", .min),
  ])
  func `an integer may have a point or an exponent`(text: String, number: Int) throws {
    #expect(try decoded(text) == number)
  }

  @Test(arguments: [
    "1.5", "1e-1", "10e-2", "9223372036854775808", "-9223372036854775809", "9.3e18", "1e400", "1e99999999999999999999",
    "1e-99999999999999999999", "1e2147483647", "-1e-2147483648",
  ])
  func `a number that does not fit an Int is refused with its path`(text: String) {
    let failure = refusal(of: "{\"a\":[\(text)]}", as: [String: [Int]].self)
    #expect(failure?.kind == "dataCorrupted" && failure?.path == ["a", "Index 0"])
    #expect(failure?.sentence == "Expected Int, found the number \(text).")
  }

  @Test func `small integer types do not overflow`() {
    #expect(refusal(of: "128", as: Int8.self)?.sentence == "Expected Int8, found the number 128.")
    #expect(refusal(of: "-1", as: UInt64.self)?.kind == "dataCorrupted")
    #expect(refusal(of: "18446744073709551616", as: UInt64.self)?.kind == "dataCorrupted")
    #expect(refusal(of: "1e309", as: Double.self)?.kind == "dataCorrupted")
    #expect(refusal(of: "1e39", as: Float.self)?.kind == "dataCorrupted")
    #expect(refusal(of: "1e-400", as: Double.self)?.kind == "dataCorrupted")
  }

  @Test func `floating-point numbers are the nearest ones`() throws {
    let numbers = [0.1, 1e23, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 3, 0]
    #expect(try decoded("[0.1,1e23,5e-324,1.7976931348623157e308,3,0e-400]") == numbers)
    #expect(try decoded("0.1") == Float(0.1))
    #expect(try decoded("-0", as: Double.self).sign == .minus)
  }

  @Test func `a missing key is named, with the path of its object`() {
    let failure = refusal(of: #"[{"name":"a"},{"size":1}]"#, as: [Field].self)
    #expect(failure?.kind == "keyNotFound name" && failure?.path == ["Index 1"])
    #expect(failure?.sentence == "The key name is missing.")
  }

  @Test func `another kind of value is a mismatch, with its path`() {
    let cases: [(String, kind: String, path: [String])] = [
      ("[]", "typeMismatch Dictionary<String, Any>", []),
      ("\"a\"", "typeMismatch Dictionary<String, Any>", []),
      (#"{"name":1}"#, "typeMismatch String", ["name"]),
      (#"{"name":"a","size":"1"}"#, "typeMismatch Int8", ["size"]),
      (#"{"name":"a","size":true}"#, "typeMismatch Int8", ["size"]),
      (#"{"name":"a","size":128}"#, "dataCorrupted", ["size"]),
      (#"{"name":"a","parts":{}}"#, "typeMismatch Array<Any>", ["parts"]),
      (#"{"name":"a","parts":[[],[1,"b"]]}"#, "typeMismatch Int", ["parts", "Index 1", "Index 1"]),
    ]
    for (text, kind, path) in cases {
      let failure = refusal(of: text, as: Field.self)
      #expect(failure?.kind == kind && failure?.path == path, "\(text)")
    }
    #expect(refusal(of: "1", as: Bool.self)?.sentence == "Expected Bool, found the number 1.")
  }

  @Test func `null is not a value, but omits an optional field`() throws {
    #expect(try decoded(#"{"name":"a","size":null}"#, as: Field.self).size == nil)
    #expect(try decoded(#"{"name":"a"}"#, as: Field.self).size == nil)
    #expect(try decoded("[1,null]") == [1, nil])
    #expect(try decoded("null", as: Int?.self) == nil)
    let name = refusal(of: #"{"name":null}"#, as: Field.self)
    #expect(name?.kind == "valueNotFound String" && name?.path == ["name"])
    #expect(refusal(of: "null", as: Field.self)?.kind == "valueNotFound Dictionary<String, Any>")
    #expect(refusal(of: "[null]", as: [[Int]].self)?.kind == "valueNotFound Array<Any>")
  }

  @Test func `all keys can be listed, whatever they are`() throws {
    struct Names: Decodable {
      var names: [String]

      struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }

      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    #expect(try decoded(#"{"b":1,"é":null,"":[]}"#, as: Names.self).names.sorted() == ["", "b", "é"])
  }

  @Test func `containers can be read manually, up to their end`() throws {
    struct Reading: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        #expect(list.count == 5 && list.currentIndex == 0)
        #expect(throws: DecodingError.self) { try list.decode(String.self) }
        #expect(try !list.decodeNil())
        #expect(try list.decode(Int.self) == 1)
        #expect(try list.decodeNil())
        var nested = try list.nestedUnkeyedContainer()
        #expect(nested.codingPath.map(\.intValue) == [2])
        #expect(nested.isAtEnd)
        #expect(throws: DecodingError.self) { try nested.decodeNil() }
        let object = try list.nestedContainer(keyedBy: Key.self)
        #expect(try object.nestedUnkeyedContainer(forKey: .a).codingPath.map(\.stringValue) == ["Index 3", "a"])
        #expect(try object.nestedContainer(keyedBy: Key.self, forKey: .b).allKeys == [.a])
        #expect(try object.superDecoder().singleValueContainer().decode(Int.self) == 7)
        #expect(try object.superDecoder(forKey: .none).singleValueContainer().decodeNil())
        #expect(throws: DecodingError.self) { try object.decodeNil(forKey: .none) }
        #expect(try list.superDecoder().singleValueContainer().decode(Int.self) == 5)
        #expect(list.isAtEnd)
        _ = try list.decode(Int.self)
      }

      enum Key: String, CodingKey { case a, b, none }
    }
    let failure = refusal(of: #"[1,null,[],{"a":[],"b":{"a":0},"super":7},5]"#, as: Reading.self)
    #expect(failure?.kind == "valueNotFound Int" && failure?.path == ["Index 5"])
    #expect(failure?.sentence == "Expected Int, but the array has only 5 elements.")
  }

  @Test func `enums, and dictionaries with integer keys, round-trip`() throws {
    let shapes = [Shape.circle(radius: 3), .line(1, to: 2), .point]
    #expect(try encoded(shapes) == #"[{"circle":{"radius":3}},{"line":{"_0":1,"to":2}},{"point":{}}]"#)
    #expect(try JSON.decode([Shape].self, from: JSON.encode(shapes)) == shapes)
    #expect(try decoded(encoded([2: [true], -1: []])) == [2: [true], -1: []])
  }
}
