import Displays
import Geometry
import JSON
import Scenes

/// The record of the virtual monitors, which outlives the service: each socket, with the size or the EDID of the
/// monitor plugged into it.
enum VirtualRecord {
  private static let kind = "virtual"
  private static let version = 1
  /// The limit on sockets that are read. The virtual backend has fewer.
  private static let mostSockets = 65

  /// Returns the record of the sockets.
  ///
  /// - Parameter sockets: The sockets, in order.
  /// - Returns: The record.
  static func of(_ sockets: [VirtualSocket]) -> Record {
    let elements = sockets.map { socket in
      var members: [String: JSONValue] = ["name": .string(socket.name)]
      switch socket.monitor {
      case .size(let size)?:
        (members["width"], members["height"]) = (.number("\(size.width)"), .number("\(size.height)"))
      case .edid(let bytes)?: members["edid"] = .string(Base64.encode(bytes))
      case nil: break
      }
      return JSONValue.object(members)
    }
    let document = JSONValue.object(["v": .number("\(version)"), "sockets": .array(elements)])
    return Record(kind: kind, key: "sockets", json: String(decoding: document.encoded, as: UTF8.self))
  }

  /// Finds the sockets among the records that were loaded at the start.
  ///
  /// - Parameter records: Records of any kinds.
  /// - Returns: The sockets that can be read; nil if there is no such record or another version wrote it. Monitors
  ///   beyond the limits for virtual monitors are left out, and their sockets are empty.
  static func sockets(in records: [Record]) -> [VirtualSocket]? {
    guard let record = records.first(where: { $0.kind == kind }),
      case .object(let members)? = try? JSONValue(parsing: record.json.utf8), members["v"]?.integer == version,
      case .array(let elements)? = members["sockets"]
    else { return nil }
    var room = FrameLimits.mostVirtualPixels
    return elements.prefix(mostSockets).compactMap { element in
      guard case .object(let members) = element, let name = members["name"]?.text else { return nil }
      let monitor = monitor(members)
      let area = monitor.map(area(of:)) ?? 0
      guard area <= room else { return VirtualSocket(name: name, monitor: nil) }
      room -= area
      return VirtualSocket(name: name, monitor: monitor)
    }
  }

  private static func monitor(_ members: [String: JSONValue]) -> VirtualSocket.Monitor? {
    if let bytes = members["edid"]?.text.flatMap(Base64.decode) { return .edid(bytes) }
    guard let width = members["width"]?.integer, let height = members["height"]?.integer,
      (16...FrameLimits.longestSide).contains(width), (16...FrameLimits.longestSide).contains(height)
    else { return nil }
    return .size(Size(width, height))
  }

  /// Returns the number of pixels of a monitor's largest mode.
  private static func area(of monitor: VirtualSocket.Monitor) -> Int {
    switch monitor {
    case .size(let size): size.area
    case .edid(let bytes): (try? EDID(bytes)).flatMap { FrameLimits.largest(of: $0.modes)?.area } ?? 0
    }
  }
}
