import Control

/// How events are written into a stream of server-sent events (WHATWG HTML, 9.2).
enum EventFormat {
  /// After how many milliseconds a browser that lost the stream is to come back.
  private static let retry = 1000

  /// What a stream begins with: when to come back, and whether events are lost since the listener's place.
  static func opening(_ feed: EventFeed) -> [UInt8] {
    Array("retry: \(retry)\n\n".utf8) + (feed.isTorn ? torn(feed.epoch) : [])
  }

  /// The lines of one event, closed by an empty one; JSON in one line, as the encoder breaks none.
  static func lines(_ event: ControlEvent, epoch: String) -> [UInt8] {
    let place = EventPlace(epoch: epoch, id: event.id)
    return Array("id: \(place)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + Response.encode(event)
      + Array("\n\n".utf8)
  }

  /// Says that events are lost: whoever listens reads everything again.
  static func torn(_ epoch: String) -> [UInt8] {
    Array("event: torn\ndata: ".utf8) + Response.encode(["epoch": epoch]) + Array("\n\n".utf8)
  }

  /// A line that says nothing but that the service is there.
  static let heartbeat = Array(":\n\n".utf8)
}
