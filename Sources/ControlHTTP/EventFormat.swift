import Control

/// How an event is written into a stream of server-sent events (WHATWG HTML, 9.2).
enum EventFormat {
  /// The lines of one event, closed by an empty one; JSON in one line, as the encoder breaks none.
  static func lines(_ event: ControlEvent) -> [UInt8] {
    Array("id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + Response.encode(event) + Array("\n\n".utf8)
  }
}
