import Testing

@testable import Configuration

struct TOMLParserTests {
  /// Returns the value at a dotted path, in which a number selects a table of an array.
  private func value(_ path: String, in text: String) throws -> TOMLValue {
    var value = TOMLValue.table(try TOMLParser.parse(text))
    for key in path.split(separator: "/") {
      switch value {
      case .table(let table): value = try #require(table.entries[String(key)]).value
      case .tables(let tables): value = .table(tables[try #require(Int(key))])
      case .array(let nodes): value = nodes[try #require(Int(key))].value
      default: Issue.record("\(key) of \(value)")
      }
    }
    return value
  }

  @Test(arguments: [
    ("0", 0), ("+99", 99), ("-17", -17), ("1_000", 1000), ("0xDEAD_beef", 0xDEAD_BEEF), ("0o755", 0o755), ("0b101", 5),
    ("9223372036854775807", .max), ("-9223372036854775808", .min),
  ])
  func `A whole number is read`(text: String, number: Int) throws {
    #expect(try value("a", in: "a = \(text)") == .integer(number))
  }

  @Test(arguments: [("3.5", 3.5), ("-0.01", -0.01), ("5e+22", 5e22), ("6.626E-3", 6.626e-3), ("1_0.2_5", 10.25)])
  func `A number with a point or an exponent is read`(text: String, number: Double) throws {
    #expect(try value("a", in: "a = \(text)") == .float(number))
  }

  @Test(arguments: [
    "01", "+0x1", "0x", "0x-1", "0xG", "1__0", "_1", "1_", ".5", "5.", "1.e5", "1e", "--1", "1.2.3", "1979-05-27",
    "07:32", "yes", "True", "1 2", "é", "9223372036854775808", "[1,,2]", "[1 2]", "{a=1,}", "{a=1 b=2}", "{a}", "",
    "[", "{", "'", "\"\\x\"", "\"\\ud800\"", "\"\\u12\"", "\"\\U00110000\"", "'a\u{7}b'", "'''a",
  ])
  func `An invalid value is rejected`(text: String) {
    #expect(throws: TOMLError.self) { try TOMLParser.parse("a = \(text)") }
  }

  @Test func `All four kinds of strings are read`() throws {
    #expect(try value("a", in: #"a = "t\tq\"u\u00e9U\U0001F600b\\""#) == .string("t\tq\"u\u{E9}U\u{1F600}b\\"))
    #expect(try value("a", in: #"a = 'C:\new "x"'"#) == .string(#"C:\new "x""#))
    #expect(try value("a", in: "a = \"\"\"\none\ntwo \\\n   \n  three \"\"\"\"\"") == .string("one\ntwo three \"\""))
    #expect(try value("a", in: "a = '''\r\nit''s\r\n\\n''''") == .string("it''s\n\\n'"))
    #expect(try value("a", in: "a = ''") == .string(""))
    #expect(try value("a", in: "a = \"\"\"\"\"\"") == .string(""))
  }

  @Test func `Arrays and tables may be nested over several lines`() throws {
    let text = "a = [ # one\n 1, [ 'x', ],\n { b.c = 2, d = {} } # three\n, ]"
    #expect(try value("a/0", in: text) == .integer(1))
    #expect(try value("a/1/0", in: text) == .string("x"))
    #expect(try value("a/2/b/c", in: text) == .integer(2))
  }

  @Test func `Keys may be quoted and dotted`() throws {
    #expect(try value("a b/1.2/c", in: "\"a b\" . '1.2'.c = true") == .bool(true))
    #expect(try value("s/x", in: "s.x = 1\ns.y = 2") == .integer(1))
    #expect(try value("s/y", in: "s.x = 1\ns.y = 2") == .integer(2))
  }

  @Test func `A header refers to the newest table of an array`() throws {
    let text = "[[o]]\np = 1\n[[o]]\np = 2\n[o.q]\nr = 3\n[[o.s]]\n[[o.s]]\nt = 4"
    #expect(try value("o/0/p", in: text) == .integer(1))
    #expect(try value("o/1/p", in: text) == .integer(2))
    #expect(try value("o/1/q/r", in: text) == .integer(3))
    #expect(try value("o/1/s/1/t", in: text) == .integer(4))
  }

  @Test func `A table may be opened after its subtable, and inside a dotted table`() throws {
    #expect(try value("a/b/c", in: "[a.b]\nc = 1\n[a]\nd = 2") == .integer(1))
    #expect(try value("a/b/c/d", in: "[a]\nb.x = 0\n[a.b.c]\nd = 1") == .integer(1))
  }

  @Test(arguments: [
    "a = 1\na = 2", "[a]\n[a]", "a = 1\n[a]", "[a]\nb = 1\n[a.b]", "a.b = 1\n[a]", "a = {}\n[a.b]", "a = {}\na.b = 1",
    "a = []\n[[a]]", "[a]\n[[a]]", "[[a]]\n[a]", "[a.b]\n[a]\nb.c = 1", "a = { b = 1, b = 2 }", "a.b = 1\na = 2",
  ])
  func `A duplicate definition is rejected`(text: String) {
    #expect(throws: TOMLError.self) { try TOMLParser.parse(text) }
  }

  @Test(arguments: ["a", "a b = 1", "= 1", "[a", "[a]]", "[[a]", "[[a] ]", "[a] b = 1", "[a.]", "[.a]", "a. = 1", "\r"])
  func `An invalid statement is rejected`(text: String) {
    #expect(throws: TOMLError.self) { try TOMLParser.parse(text) }
  }

  @Test func `A value has its line`() throws {
    let table = try TOMLParser.parse("# one\na = '''\n\n'''\r\nb = [\n]\n\n[c]\nd = 1")
    #expect(table.entries["a"]?.line == 2)
    #expect(table.entries["b"]?.line == 5)
    #expect(table.entries["c"]?.line == 8)
  }
}
