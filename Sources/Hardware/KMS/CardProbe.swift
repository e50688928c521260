import CDRM
import Displays
import Geometry

/// A reader of a card's objects, which returns plain values.
///
/// It runs on the card's thread, because a probe blocks on DDC.
struct CardProbe: Sendable {
  let file: CardFile
  private var names = PropertyNames()
  /// The connectors' properties from the last probe, by object ID, for subsequent commits.
  private(set) var connectorProperties: [UInt32: ObjectProperties] = [:]
  /// The connectors as of their last probe, by object ID.
  private var probed: [UInt32: ConnectorSnapshot] = [:]
  /// The planes as of the first read.
  private var knownPlanes: [PlaneState] = []
  /// The CRTCs in the card's order; an index is a bit number in CRTC masks.
  let crtcs: [UInt32]

  /// Creates a reader.
  ///
  /// Throws `.other` if the node has no connectors or no CRTCs, as a render-only card.
  init(_ file: CardFile) throws(CardError) {
    self.file = file
    let resources = try CardResources(file)
    crtcs = resources.crtcs
    if crtcs.isEmpty || resources.connectors.isEmpty {
      throw CardError(
        reason: .other, operation: "MODE_GETRESOURCES", object: file.path,
        message: "no connectors or no CRTCs: not a display card")
    }
  }

  /// Returns the current state of all connectors and CRTCs, and probes the given connectors, or all.
  mutating func snapshot(driver: String, probing chosen: Set<UInt32>?) throws(CardError) -> CardSnapshot {
    let resources = try CardResources(file)
    connectorProperties = [:]
    // Skip a connector that vanished between the two calls (MST): its removal sends a uevent of its own.
    let connectors = resources.connectors.compactMap { id in
      connector(id, last: chosen.map { $0.contains(id) } ?? true ? nil : probed[id])
    }
    probed = Dictionary(connectors.map { ($0.id, $0) }) { first, _ in first }
    return CardSnapshot(
      card: file.path, driver: driver, connectors: connectors.believed,
      crtcs: crtcs.map { CRTCSnapshot(id: $0, isEnabled: isCRTCEnabled(file, $0)) })
  }

  /// Returns the state of a connector, or nil if it is gone.
  ///
  /// `last` is its state as of its last probe, or nil to probe it. The probed values then come from `last`: another
  /// program's probe may have left a shorter mode list in the kernel.
  private mutating func connector(_ id: UInt32, last: ConnectorSnapshot?) -> ConnectorSnapshot? {
    guard let object = ConnectorObject(file, id, isProbed: last == nil) else { return nil }
    // The kernel gives the ID of a removed connector (MST) to the next new one.
    if let last, last.name != object.name { return connector(id, last: nil) }
    // Read the properties after the probe, which updates the EDID property.
    let properties = ObjectProperties(file, id, DRM_MODE_OBJECT_CONNECTOR, names: &names)
    connectorProperties[id] = properties
    let path = properties.blob("PATH", file)
    return ConnectorSnapshot(
      id: id, name: object.name, kind: object.kind, status: last?.status ?? object.status,
      modes: last?.modes ?? object.modes, edid: last?.edid ?? properties.blob("EDID", file),
      millimeters: last?.millimeters ?? object.millimeters,
      path: path.isEmpty ? nil : String(decoding: path.prefix { $0 != 0 }, as: UTF8.self),
      tile: Tile(String(decoding: properties.blob("TILE", file).prefix { $0 != 0 }, as: UTF8.self)),
      isNonDesktop: properties.values["non-desktop"] == 1,
      isLinkBad: properties.values["link-status"] == UInt64(DRM_MODE_LINK_STATUS_BAD),
      orientation: Rotation(panelOrientation: properties.values["panel orientation"] ?? 0),
      possibleCRTCs: possibleCRTCs(object), currentCRTC: currentCRTC(object, properties))
  }

  private func possibleCRTCs(_ connector: borrowing ConnectorObject) -> UInt32 {
    connector.encoders.reduce(0) { $0 | (encoderRoute(file, $1)?.possible ?? 0) }
  }

  private func currentCRTC(_ connector: borrowing ConnectorObject, _ properties: ObjectProperties) -> UInt32? {
    if let atomic = properties.values["CRTC_ID"] { return atomic == 0 ? nil : UInt32(atomic) }
    guard let route = encoderRoute(file, connector.encoder), route.crtc != 0 else { return nil }
    return route.crtc
  }

  /// Returns the current state of the planes; empty if the card has none.
  ///
  /// A card's planes do not change during its lifetime, so that only their current CRTCs are read after the first call.
  mutating func planes() -> [PlaneState] {
    if knownPlanes.isEmpty { knownPlanes = readPlanes() }
    return knownPlanes.compactMap { plane in
      guard let object = PlaneObject(file, plane.id) else { return nil }
      var plane = plane
      plane.crtc = object.crtc
      return plane
    }
  }

  /// Reads the planes; none if one of them cannot be read, as on a card that is gone.
  private mutating func readPlanes() -> [PlaneState] {
    guard let resources = PlaneResources(file) else { return [] }
    var planes: [PlaneState] = []
    for id in resources.planes {
      let properties = ObjectProperties(file, id, DRM_MODE_OBJECT_PLANE, names: &names)
      guard let plane = PlaneObject(file, id), !properties.ids.isEmpty else { return [] }
      planes.append(
        PlaneState(id: id, possibleCRTCs: plane.possibleCRTCs, properties: properties, crtc: plane.crtc))
    }
    return planes
  }

  /// Returns the current properties of a CRTC.
  mutating func crtcProperties(_ id: UInt32) -> ObjectProperties {
    ObjectProperties(file, id, DRM_MODE_OBJECT_CRTC, names: &names)
  }

  /// Returns the current properties of a connector; empty if it is gone.
  mutating func currentProperties(ofConnector id: UInt32) -> ObjectProperties {
    ObjectProperties(file, id, DRM_MODE_OBJECT_CONNECTOR, names: &names)
  }

  /// Returns the properties of a connector as of the last probe.
  mutating func properties(ofConnector id: UInt32) -> ObjectProperties {
    connectorProperties[id] ?? currentProperties(ofConnector: id)
  }
}

extension Rotation {
  /// Creates the rotation that makes a frame upright on a panel.
  ///
  /// `side` is the value of the connector property `panel orientation`: the side of the panel that is up (enum
  /// drm_panel_orientation).
  init(panelOrientation side: UInt64) {
    self =
      switch side {
      case 1: .half  // Upside Down
      case 2: .threeQuarters  // Left Side Up
      case 3: .quarter  // Right Side Up
      default: .none
      }
  }
}
