/// Fuzzes the JSON parser with bytes from libFuzzer. Parsing must not trap, and a parsed value must survive encoding.
func fuzzJSON(_ bytes: [UInt8]) {
  readText(bytes)
  readTypes(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  if let decoded = Base64.decode(text) { precondition(Base64.encode(decoded) == text) }
  precondition(Base64.decode(Base64.encode(bytes)) == bytes)
}

private func readText(_ bytes: [UInt8]) {
  guard let value = try? JSONParser.parse(bytes) else { return }
  for isPretty in [true, false] {
    let again = try? JSONParser.parse(JSONWriter.write(value, isPretty: isPretty))
    precondition(again == value)
  }
}

/// A value with most types. Each field is optional, so that one wrong field does not hide the others.
private struct Sample: Codable, Equatable {
  enum Kind: String, Codable { case lit, dark }
  enum Shape: Codable, Equatable { case circle(radius: Double), line(Int, Int8) }
  var i: Int?
  var b: UInt8?
  var u: UInt64?
  var w: Int128?
  var f: Float?
  var d: Double?
  var s: String?
  var t: Bool?
  var k: Kind?
  var e: Shape?
  var l: [Sample?]?
  var m: [String: [Int]]?
  var n: [Int: Bool]?
}

private func readTypes(_ bytes: [UInt8]) {
  do {
    check(try JSON.decode(Sample.self, from: bytes))
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  if let values = try? JSON.decode([Double].self, from: bytes) { check(values) }
  if let values = try? JSON.decode([UInt64].self, from: bytes) { check(values) }
  if let values = try? JSON.decode([String: Int16].self, from: bytes) { check(values) }
}

private func check<T: Codable & Equatable>(_ value: T) {
  for pretty in [true, false] {
    let text = (try? JSON.encode(value, pretty: pretty)) ?? []
    precondition((try? JSON.decode(T.self, from: text)) == value)
  }
}
