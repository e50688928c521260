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
}
