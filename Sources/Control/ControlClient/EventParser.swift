import Control
import JSON

/// A parser for server-sent events (WHATWG HTML, 9.2) that performs no I/O.
struct EventParser {
  /// The maximum size of one event in bytes.
  ///
  /// The service shortens each text of an event to one line.
  var limit = 64 << 10

  private var line: [UInt8] = []
  private var kind: [UInt8] = []
  private var id: [UInt8] = []
  private var data: [UInt8] = []

  /// Returns the notices that these bytes complete.
  mutating func feed(_ bytes: some Collection<UInt8>) throws(ClientError) -> [EventNotice] {
    var notices: [EventNotice] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line.append(contentsOf: rest[..<end])
      rest = rest[rest.index(after: end)...]
      if let notice = try endLine() { notices.append(notice) }
    }
    line.append(contentsOf: rest)
    guard line.count + data.count <= limit else { throw .protocolError("The service sent an event that is too long.") }
    return notices
  }

  private mutating func endLine() throws(ClientError) -> EventNotice? {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    if line.isEmpty { return try endEvent() }
    if let value = value(of: "data") { data.append(contentsOf: value) }
    if let value = value(of: "event") { kind = Array(value) }
    if let value = value(of: "id") { id = Array(value) }
    return nil
  }

  private mutating func endEvent() throws(ClientError) -> EventNotice? {
    defer {
      data.removeAll(keepingCapacity: true)
      kind.removeAll(keepingCapacity: true)
    }
    guard !data.isEmpty else { return nil }
    do {
      if kind.elementsEqual("gap".utf8) { return .gap(epoch: try JSON.decode(Gap.self, from: data).epoch) }
      let event = try JSON.decode(ControlEvent.self, from: data)
      return .event(event, at: EventPlace(String(decoding: id, as: UTF8.self)))
    } catch {
      throw .protocolError("The service's event cannot be decoded; the service may have another version. \(error)")
    }
  }

  /// Returns the value of a field without one space after the colon, or nil if the line has another field.
  private func value(of field: String) -> ArraySlice<UInt8>? {
    guard line.starts(with: field.utf8), line.dropFirst(field.utf8.count).first == UInt8(ascii: ":") else { return nil }
    let value = line.dropFirst(field.utf8.count + 1)
    return value.first == UInt8(ascii: " ") ? value.dropFirst() : value
  }

  private struct Gap: Decodable {
    let epoch: String
  }
}
