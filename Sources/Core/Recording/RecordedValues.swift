import Displays
import Geometry
import JSON

/// A card's snapshot in the recording's format.
struct RecordedSnapshot: Codable, Hashable, Sendable {
  var driver: String
  /// The CRTCs: the object ID of each, and 1 if it is enabled or 0 if not.
  var crtcs: [[UInt32]]
  var connectors: [RecordedConnector]
}

struct RecordedConnector: Codable, Hashable, Sendable {
  var id: UInt32
  var name: String
  var kind: UInt32
  var status: String
  /// The modes. Nil if modes and EDID equal those written last for this connector.
  var modes: [RecordedMode]?
  /// The EDID in base64.
  var edid: String?
  var millimeters: [Int]?
  var path: String?
  var isNonDesktop: Bool?
  var isLinkBad: Bool?
  /// The panel orientation in degrees clockwise.
  var orientation: Int?
  /// The group, the tiles across and down, the column, row, width and height.
  var tile: [Int]?
  var possibleCRTCs: UInt32
  var currentCRTC: UInt32?
}

struct RecordedMode: Codable, Hashable, Sendable {
  /// The width, the height, and the refresh rate in thousandths of a hertz.
  var mode: [Int]
  var isInterlaced: Bool?
  var isPreferred: Bool?
  /// The clock, five horizontal numbers, five vertical numbers, vrefresh, flags and type.
  var timing: [UInt32]?
  var name: String?
}

struct RecordedError: Codable, Hashable, Sendable {
  var reason: String
  var operation: String
  var object: String
  var errno: Int32
  var message: String
}

/// The reason that a recording cannot be read.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
  /// The error message, a sentence.
  package var description: String

  /// Creates an error.
  ///
  /// - Parameter description: The error message, a sentence.
  package init(_ description: String) { self.description = description }
}

extension RecordedMode {
  init(_ mode: Mode) {
    self.mode = [mode.size.width, mode.size.height, mode.refresh]
    isInterlaced = mode.isInterlaced ? true : nil
    isPreferred = mode.isPreferred ? true : nil
    guard let timing = mode.timing else { return }
    self.timing =
      [timing.clock] + timing.horizontal.map(UInt32.init) + timing.vertical.map(UInt32.init)
      + [timing.vrefresh, timing.flags, timing.type]
    name = timing.name
  }

  /// Returns the mode.
  ///
  /// - Throws: `RecordingError` if a number exceeds the range of the kernel's field.
  /// - Returns: The mode.
  func value() throws(RecordingError) -> Mode {
    guard mode.count == 3, mode[0...1].allSatisfy({ (0...65535).contains($0) }), (0...10_000_000).contains(mode[2])
    else { throw RecordingError("a mode must have a width, a height and a rate") }
    var value = Mode(
      size: Size(mode[0], mode[1]), refresh: mode[2], isInterlaced: isInterlaced ?? false,
      isPreferred: isPreferred ?? false)
    guard let timing else { return value }
    guard timing.count == 14, timing[1...10].allSatisfy({ $0 <= 65535 }) else {
      throw RecordingError("a mode's timing must have 14 numbers")
    }
    let lines = timing[1...10].map { UInt16(truncatingIfNeeded: $0) }
    value.timing = Timing(
      clock: timing[0], horizontal: Array(lines[..<5]), vertical: Array(lines[5...]), vrefresh: timing[11],
      flags: timing[12], type: timing[13], name: name ?? "")
    return value
  }
}

extension RecordedConnector {
  private static let statuses: [(ConnectionStatus, String)] = [
    (.connected, "connected"), (.disconnected, "disconnected"), (.unknown, "unknown"),
  ]

  /// Creates the record of a connector, with `bytes` as its EDID.
  init(_ connector: ConnectorSnapshot, edid bytes: [UInt8]) {
    id = connector.id
    name = connector.name
    kind = connector.kind.number
    status = Self.statuses.first { $0.0 == connector.status }?.1 ?? "unknown"
    modes = connector.modes.map(RecordedMode.init)
    edid = bytes.isEmpty ? nil : Base64.encode(bytes)
    let size = connector.millimeters
    millimeters = size == Size(0, 0) ? nil : [size.width, size.height]
    path = connector.path
    isNonDesktop = connector.isNonDesktop ? true : nil
    isLinkBad = connector.isLinkBad ? true : nil
    orientation = connector.orientation == .none ? nil : connector.orientation.rawValue
    tile = connector.tile.map {
      [$0.group, $0.grid.width, $0.grid.height, $0.column, $0.row, $0.size.width, $0.size.height]
    }
    possibleCRTCs = connector.possibleCRTCs
    currentCRTC = connector.currentCRTC
  }

  /// Returns the connector. Omitted modes and EDID are those of `last`, the connector's last written state.
  func value(after last: ConnectorSnapshot?) throws(RecordingError) -> ConnectorSnapshot {
    guard let status = Self.statuses.first(where: { $0.1 == self.status })?.0 else {
      throw RecordingError("a connector's status must be connected, disconnected or unknown")
    }
    guard modes?.count ?? 0 <= 1024, let bytes = Base64.decode(edid ?? ""), bytes.count <= 1 << 16 else {
      throw RecordingError("the modes or the EDID of \(name) cannot be read")
    }
    var values = last?.modes ?? []
    if let modes { values = try modes.map { (mode) throws(RecordingError) in try mode.value() } }
    let size = millimeters ?? [0, 0]
    guard size.count == 2, size.allSatisfy({ (0...1 << 30).contains($0) }) else {
      throw RecordingError("the size of \(name) in millimeters must be two numbers")
    }
    guard tile?.count ?? 7 == 7, tile?.allSatisfy({ (0...65535).contains($0) }) ?? true else {
      throw RecordingError("the tile of \(name) must have seven numbers")
    }
    return ConnectorSnapshot(
      id: id, name: name, kind: ConnectorKind(kind), status: status, modes: values,
      edid: modes == nil ? last?.edid ?? [] : bytes, millimeters: Size(size[0], size[1]), path: path,
      tile: tile.map {
        Tile(group: $0[0], grid: Size($0[1], $0[2]), column: $0[3], row: $0[4], size: Size($0[5], $0[6]))
      }, isNonDesktop: isNonDesktop ?? false, isLinkBad: isLinkBad ?? false,
      orientation: orientation.flatMap(Rotation.init(rawValue:)) ?? .none, possibleCRTCs: possibleCRTCs,
      currentCRTC: currentCRTC)
  }
}

extension RecordedError {
  private static let reasons: [(CardError.Reason, String)] = [
    (.refused, "refused"), (.busy, "busy"), (.notMaster, "not master"), (.gone, "gone"), (.other, "other"),
  ]

  init(_ error: CardError) {
    reason = Self.reasons.first { $0.0 == error.reason }?.1 ?? "other"
    (operation, object, message) = (error.operation, error.object, error.message)
    errno = error.errno
  }

  /// The error. An unknown reason becomes `.other`.
  var value: CardError {
    CardError(
      reason: Self.reasons.first { $0.1 == reason }?.0 ?? .other, operation: operation, object: object, errno: errno,
      message: message)
  }
}

extension RecordingLine.Plan {
  init(_ plan: ModesetPlan) {
    let lit = plan.lit.map { Output(display: $0.name, crtc: $0.crtc, mode: $0.mode.description) }
    let asleep = plan.asleep.map { Output(display: $0.name, crtc: $0.crtc) }
    self.lit = lit.isEmpty ? nil : lit
    self.asleep = asleep.isEmpty ? nil : asleep
    dark = plan.dark.isEmpty ? nil : plan.dark
  }
}
