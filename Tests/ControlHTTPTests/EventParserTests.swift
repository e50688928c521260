import Control
import JSON
import Testing

@testable import ControlClient
@testable import ControlHTTP

@Suite struct EventParserTests {
  @Test func `The parser gives the same events however the stream is split`() throws {
    let events = [
      ControlEvent(id: 1, kind: .connected, display: "HDMI-A-1", time: 5),
      ControlEvent(id: 2, kind: .modeChanged, display: "ü\n", time: .max, detail: "data: \r\n\r\nid: 3"),
    ]
    let bytes = events.flatMap { EventFormat.lines($0, epoch: "e") }
    for cut in 0...bytes.count {
      var parser = EventParser()
      #expect(
        try parser.feed(bytes[..<cut]) + parser.feed(bytes[cut...])
          == events.map { .event($0, at: EventPlace(epoch: "e", id: $0.id)) })
    }
  }

  @Test func `Comments, unknown fields and carriage returns are ignored`() throws {
    let json = #"{"id":1,"kind":"dark","display":"A","time":0}"#
    var parser = EventParser()
    let events = try parser.feed(": hello\r\n\r\nretry: 5\r\nevent: dark\r\ndata:\(json)\r\n\r\n".utf8)
    #expect(events == [.event(ControlEvent(id: 1, kind: .dark, display: "A", time: 0), at: nil)])
  }

  @Test func `An invalid or unterminated event is an error`() {
    var parser = EventParser()
    parser.limit = 10
    #expect(throws: ClientError.self) { try parser.feed("data: {}\n\n".utf8) }
    #expect(throws: ClientError.self) { try parser.feed(repeatElement(UInt8(ascii: "a"), count: 11)) }
    var other = EventParser()
    other.limit = 10
    #expect(throws: ClientError.self) { try other.feed("data:abcdef\ndata:abcdef\n".utf8) }
  }

  @Test func `The names of a request's fields are the names that Codable encodes`() throws {
    let message = MessageRequest(
      text: "", scene: .null, display: "", role: "", tag: "", name: "", priority: 0, seconds: 1, acknowledge: true,
      wait: true)
    let plug = PlugRequest(display: "", width: 1, height: 1, edid: "")
    #expect(fields(Response.encode(message)) == MessageRequest.fields.sorted())
    let scene = OpenRequest(scene: .null, display: "", tag: "", wait: true)
    #expect(fields(Response.encode(scene)) == OpenRequest.fields.sorted())
    #expect(fields(Response.encode(MoveRequest(display: ""))) == MoveRequest.fields)
    for (name, place) in [("position", ScrollRequest.position(0)), ("heading", .heading("")), ("page", .page(1))] {
      #expect(fields(Response.encode(place)) == [name] && ScrollRequest.fields.contains(name))
    }
    #expect(fields(Response.encode(plug)) == PlugRequest.fields.sorted())
  }

  private func fields(_ json: [UInt8]) -> [String] {
    String(decoding: json, as: UTF8.self).dropFirst().split(separator: ",").compactMap { part in
      part.split(separator: "\"").first.map(String.init)
    }
  }
}
