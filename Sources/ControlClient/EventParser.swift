import Control
import JSON

/// Takes server-sent events out of a stream of bytes (WHATWG HTML, 9.2). Knows no channel.
struct EventParser {
  /// Most bytes of one event; a message has at most 1 MiB, and JSON makes at most six of a byte.
  var limit = 8 << 20

  private var line: [UInt8] = []
  private var data: [UInt8] = []

  /// The events that are complete with these bytes.
  mutating func feed(_ bytes: some Collection<UInt8>) throws(ClientError) -> [ControlEvent] {
    var events: [ControlEvent] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line.append(contentsOf: rest[..<end])
      rest = rest[rest.index(after: end)...]
      if let event = try endLine() { events.append(event) }
    }
    line.append(contentsOf: rest)
    guard line.count + data.count <= limit else { throw .protocolError("The service sent an event without an end.") }
    return events
  }

  private mutating func endLine() throws(ClientError) -> ControlEvent? {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    guard line.isEmpty else {
      if line.starts(with: "data:".utf8) { data.append(contentsOf: line.dropFirst(5)) }
      return nil
    }
    guard !data.isEmpty else { return nil }
    defer { data.removeAll(keepingCapacity: true) }
    do {
      return try JSON.decode(ControlEvent.self, from: data)
    } catch {
      throw .protocolError("The service's event is not understood, is it of another version? \(error)")
    }
  }
}
