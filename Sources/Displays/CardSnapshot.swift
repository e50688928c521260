public import Geometry

/// What a card said at one moment: values only, nothing that points into the driver.
public struct CardSnapshot: Hashable, Sendable {
  /// The device node, `/dev/dri/card1`.
  public var card: String
  /// The driver's name as DRM_IOCTL_VERSION gives it, `virtio_gpu`.
  public var driver: String
  /// All connectors, in the order of the card.
  public var connectors: [ConnectorSnapshot]
  /// All CRTCs; the place in this array is the bit in `possibleCRTCs` masks.
  public var crtcs: [CRTCSnapshot]

  /// A snapshot from its parts.
  public init(card: String, driver: String, connectors: [ConnectorSnapshot], crtcs: [CRTCSnapshot]) {
    self.card = card
    self.driver = driver
    self.connectors = connectors
    self.crtcs = crtcs
  }
}

/// A CRTC: the part of a card that makes a picture's timing.
public struct CRTCSnapshot: Hashable, Sendable {
  /// DRM object id.
  public var id: UInt32
  /// Whether it has a mode now; one that is asleep has, too (the kernel's `enable`, not its `active`).
  public var isActive: Bool

  /// A CRTC from its parts.
  public init(id: UInt32, isActive: Bool) {
    self.id = id
    self.isActive = isActive
  }
}

/// A connector: the socket a monitor is plugged into.
public struct ConnectorSnapshot: Hashable, Sendable {
  /// DRM object id; valid only while the connector lives (MST connectors come and go).
  public var id: UInt32
  /// The kernel's name, `HDMI-A-1`; unique over all cards.
  public var name: String
  /// What sort of socket it is.
  public var kind: ConnectorKind
  /// Whether a monitor is there.
  public var status: ConnectionStatus
  /// The modes of the last probe, in the kernel's order.
  public var modes: [Mode]
  /// The EDID property's bytes; empty where there is none. Not trusted: any bytes can come.
  public var edid: [UInt8]
  /// The kernel's word on the size of the picture in millimetres; 0x0 where unknown.
  public var millimetres: Size
  /// The PATH property (MST), where there is one.
  public var path: String?
  /// Which part of its monitor it carries; nil where it carries all of it.
  public var tile: Tile?
  /// The `non-desktop` property: head-mounted displays and the like.
  public var isNonDesktop: Bool
  /// The `link-status` property says BAD: the driver wants a full modeset.
  public var isLinkBad: Bool
  /// How pictures must be turned to be upright on it: panels that are built in turned say so (`panel orientation`).
  public var orientation: Rotation
  /// A bit for each CRTC (by its place in the card's list) that can drive this connector.
  public var possibleCRTCs: UInt32
  /// The CRTC that drives it now, if any.
  public var currentCRTC: UInt32?

  /// A connector from its parts; what is left out is absent.
  public init(
    id: UInt32, name: String, kind: ConnectorKind, status: ConnectionStatus, modes: [Mode] = [], edid: [UInt8] = [],
    millimetres: Size = Size(0, 0), path: String? = nil, tile: Tile? = nil, isNonDesktop: Bool = false,
    isLinkBad: Bool = false, orientation: Rotation = .none,
    possibleCRTCs: UInt32 = .max, currentCRTC: UInt32? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.status = status
    self.modes = modes
    self.edid = edid
    self.millimetres = millimetres
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
public enum ConnectionStatus: Hashable, Sendable {
  /// A monitor answers.
  case connected
  /// Nothing answers.
  case disconnected
  /// The driver cannot tell.
  case unknown
}

/// The kernel's `DRM_MODE_CONNECTOR_*`, by number, with what follows from it.
public struct ConnectorKind: Hashable, Sendable {
  /// `DRM_MODE_CONNECTOR_*`.
  public var number: UInt32

  /// A kind by the kernel's number.
  public init(_ number: UInt32) { self.number = number }

  private static let names = [
    "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP", "HDMI-A",
    "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
  ]

  /// The kernel's name for it, without the number of the socket.
  public var name: String { number < Self.names.count ? Self.names[Int(number)] : "Unknown" }

  /// A kind by the kernel's name; nil for a name the kernel does not have.
  public init?(named name: some StringProtocol) {
    guard let index = Self.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(UInt32(index))
  }

  /// Internal for panels that are built in, external for everything else; nil for what is no display.
  public var role: Role? {
    switch name {
    case "LVDS", "eDP", "DSI", "DPI": .internal
    case "Writeback": nil
    default: .external
    }
  }
}

/// What a display is for.
public enum Role: String, Hashable, Sendable, CaseIterable {
  /// A panel that is part of the machine.
  case `internal`
  /// Anything that was plugged in.
  case external
}

extension [ConnectorSnapshot] {
  /// The connectors as they count. Where a driver cannot tell (VGA without DDC), a monitor is believed to be there as long
  /// as none answers anywhere else, as the kernel's own console does (kernel-doc of connector_status_unknown).
  public var believed: [ConnectorSnapshot] {
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
