package import Geometry

/// The state of a card at one moment, as plain values without references into the driver.
package struct CardSnapshot: Hashable, Sendable {
  /// The device node, such as `/dev/dri/card1`.
  package var card: String
  /// The driver's name from `DRM_IOCTL_VERSION`, such as `virtio_gpu`.
  package var driver: String
  /// All connectors, in the card's order.
  package var connectors: [ConnectorSnapshot]
  /// All CRTCs; an index in this array is a bit number in `possibleCRTCs`.
  package var crtcs: [CRTCSnapshot]

  /// Creates a snapshot.
  package init(card: String, driver: String, connectors: [ConnectorSnapshot], crtcs: [CRTCSnapshot]) {
    self.card = card
    self.driver = driver
    self.connectors = connectors
    self.crtcs = crtcs
  }
}

/// A CRTC, the part of a card that generates the display timing.
package struct CRTCSnapshot: Hashable, Sendable {
  /// The DRM object ID.
  package var id: UInt32
  /// True if the CRTC has a mode, even while its output is asleep.
  ///
  /// This is the kernel's `drm_crtc_state.enable`, not `active`.
  package var isEnabled: Bool

  /// Creates a CRTC snapshot.
  package init(id: UInt32, isEnabled: Bool) {
    self.id = id
    self.isEnabled = isEnabled
  }
}

/// A connector, the port that a monitor is plugged into.
package struct ConnectorSnapshot: Hashable, Sendable {
  /// The DRM object ID, valid for the connector's lifetime (MST connectors are created and destroyed at run time).
  package var id: UInt32
  /// The kernel's name, such as `HDMI-A-1`, unique across all cards.
  package var name: String
  /// The connector type.
  package var kind: ConnectorKind
  /// The connection status.
  package var status: ConnectionStatus
  /// The modes from the last probe, in the kernel's order.
  package var modes: [Mode]
  /// The content of the EDID property; empty if the property has no blob.
  ///
  /// The bytes are untrusted and can have any content.
  package var edid: [UInt8]
  /// The image size in millimeters as the kernel reports it; 0x0 if unknown.
  package var millimeters: Size
  /// The PATH property of an MST connector; nil for other connectors.
  package var path: String?
  /// The tile that this connector drives; nil if it drives the whole monitor.
  package var tile: Tile?
  /// True if the `non-desktop` property is set, as for head-mounted displays.
  package var isNonDesktop: Bool
  /// True if the `link-status` property is BAD: the driver needs a full modeset.
  package var isLinkBad: Bool
  /// The rotation that makes a frame upright on a built-in panel (`panel orientation`).
  package var orientation: Rotation
  /// The bit mask of the CRTCs that can drive this connector, by their index in the card's list.
  package var possibleCRTCs: UInt32
  /// The CRTC that drives this connector now; nil if it is not routed.
  package var currentCRTC: UInt32?

  /// Creates a connector snapshot.
  package init(
    id: UInt32, name: String, kind: ConnectorKind, status: ConnectionStatus, modes: [Mode] = [], edid: [UInt8] = [],
    millimeters: Size = Size(0, 0), path: String? = nil, tile: Tile? = nil, isNonDesktop: Bool = false,
    isLinkBad: Bool = false, orientation: Rotation = .none,
    possibleCRTCs: UInt32 = .max, currentCRTC: UInt32? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.status = status
    self.modes = modes
    self.edid = edid
    self.millimeters = millimeters
    self.path = path
    self.tile = tile
    self.isNonDesktop = isNonDesktop
    self.isLinkBad = isLinkBad
    self.orientation = orientation
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
  }
}

/// The kernel's `enum drm_connector_status`.
package enum ConnectionStatus: Hashable, Sendable {
  /// A monitor is connected.
  case connected
  /// No monitor is connected.
  case disconnected
  /// The driver cannot detect a monitor.
  case unknown
}

/// A connector type of the kernel, `DRM_MODE_CONNECTOR_*`.
package struct ConnectorKind: Hashable, Sendable {
  /// The value of `DRM_MODE_CONNECTOR_*`.
  package var number: UInt32

  /// Creates a connector type from the kernel's number.
  package init(_ number: UInt32) { self.number = number }

  private static let names = [
    "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP", "HDMI-A",
    "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
  ]

  /// The kernel's name for the type, without the connector's index.
  package var name: String { number < Self.names.count ? Self.names[Int(number)] : "Unknown" }

  /// Creates a connector type from the kernel's name, or returns nil if the kernel has no such type.
  package init?(named name: some StringProtocol) {
    guard let index = Self.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(UInt32(index))
  }

  /// The role of a display on this connector: internal for built-in panels, nil for writeback, external for the rest.
  package var role: Role? {
    switch name {
    case "LVDS", "eDP", "DSI", "DPI": .internal
    case "Writeback": nil
    default: .external
    }
  }
}

/// The role of a display.
package enum Role: String, Hashable, Sendable, CaseIterable {
  /// A built-in panel.
  case `internal`
  /// A monitor that is plugged in.
  case external
}

extension [ConnectorSnapshot] {
  /// The connectors, with unknown ones treated as connected if no connector is connected.
  ///
  /// Some drivers cannot detect a monitor (VGA without DDC). The kernel's console makes the same assumption (kernel-doc
  /// of `connector_status_unknown`). Only desktop connectors that list modes are affected.
  package var believed: [ConnectorSnapshot] {
    if contains(where: { $0.status == .connected }) { return self }
    return map { connector in
      guard connector.status == .unknown, connector.kind.role != nil, !connector.isNonDesktop, !connector.modes.isEmpty
      else { return connector }
      var believed = connector
      believed.status = .connected
      return believed
    }
  }
}
