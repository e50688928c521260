import Control

/// The format of events in a stream of server-sent events (WHATWG HTML, 9.2).
enum EventFormat {
  /// The delay before a browser reconnects after it lost the stream, in milliseconds.
  private static let retry = 1000

  /// Returns the start of a stream: the reconnection delay, and a gap if events since the client's place were lost.
  static func opening(_ feed: EventFeed) -> [UInt8] {
    Array("retry: \(retry)\n\n".utf8) + (feed.hasGap ? gap(feed.epoch) : [])
  }

  /// Returns one event and its closing empty line; the JSON is one line, because the encoder writes no line breaks.
  static func lines(_ event: ControlEvent, epoch: String) -> [UInt8] {
    let place = EventPlace(epoch: epoch, id: event.id)
    return Array("id: \(place)\nevent: \(event.kind.rawValue)\ndata: ".utf8) + Response.encode(event)
      + Array("\n\n".utf8)
  }

  /// Returns the event for a gap, after which the client must read everything again.
  static func gap(_ epoch: String) -> [UInt8] {
    Array("event: gap\ndata: ".utf8) + Response.encode(["epoch": epoch]) + Array("\n\n".utf8)
  }

  /// A comment line, which only shows that the connection is alive.
  static let heartbeat = Array(":\n\n".utf8)
}
