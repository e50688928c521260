import JSON
import Testing

@Suite struct ValueTests {
  private struct Envelope: Codable, Equatable {
    var label: String
    var content: JSONValue?
    var more: [JSONValue]
  }

  @Test(arguments: [
    #"{"content":{"a":[1.50,1e400,-0,null,true,"ü"],"b":{}},"label":"x","more":[null,[],"",18446744073709551616]}"#,
    #"{"label":"x","more":[]}"#,
  ])
  func `a value inside another value round-trips unchanged`(text: String) throws {
    let envelope = try JSON.decode(Envelope.self, from: text.utf8)
    #expect(try JSON.encode(envelope) == Array(text.utf8))
    #expect(try JSON.encode(JSON.decode(JSONValue.self, from: text.utf8)) == Array(text.utf8))
  }
}
