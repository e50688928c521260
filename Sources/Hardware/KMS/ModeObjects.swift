import CDRM
import Displays
import Geometry
import Glibc

// Each type owns one get/free pair of libdrm and returns only values.

/// The IDs of a card's connectors and CRTCs (drmModeGetResources).
@safe
struct CardResources: ~Copyable {
  private let raw: drmModeResPtr

  init(_ file: CardFile) throws(CardError) {
    guard let resources = unsafe drmModeGetResources(file.descriptor) else {
      throw CardError(kernel: errno, "MODE_GETRESOURCES", on: file.path)
    }
    unsafe raw = resources
  }

  deinit { unsafe drmModeFreeResources(raw) }

  var connectors: [UInt32] { unsafe values(raw.pointee.connectors, raw.pointee.count_connectors) }
  var crtcs: [UInt32] { unsafe values(raw.pointee.crtcs, raw.pointee.count_crtcs) }
}

/// The IDs of a card's planes (drmModeGetPlaneResources).
@safe
struct PlaneResources: ~Copyable {
  private let raw: drmModePlaneResPtr

  init?(_ file: CardFile) {
    guard let resources = unsafe drmModeGetPlaneResources(file.descriptor) else { return nil }
    unsafe raw = resources
  }

  deinit { unsafe drmModeFreePlaneResources(raw) }

  var planes: [UInt32] { unsafe values(raw.pointee.planes, Int32(clamping: raw.pointee.count_planes)) }
}

/// The capabilities of a plane and its current CRTC (drmModeGetPlane).
@safe
struct PlaneObject: ~Copyable {
  private let raw: drmModePlanePtr

  init?(_ file: CardFile, _ id: UInt32) {
    guard let plane = unsafe drmModeGetPlane(file.descriptor, id) else { return nil }
    unsafe raw = plane
  }

  deinit { unsafe drmModeFreePlane(raw) }

  var possibleCRTCs: UInt32 { unsafe raw.pointee.possible_crtcs }
  var crtc: UInt32 { unsafe raw.pointee.crtc_id }
}

/// The result of a connector probe (drmModeGetConnector).
///
/// As DRM master this is a full probe, which can take seconds.
@safe
struct ConnectorObject: ~Copyable {
  private let raw: drmModeConnectorPtr

  /// Reads a connector, or returns nil if it does not exist.
  ///
  /// Without a probe, the kernel returns what the last one found, at once (drm_mode_getconnector).
  init?(_ file: CardFile, _ id: UInt32, isProbed: Bool) {
    let connector =
      unsafe isProbed
      ? drmModeGetConnector(file.descriptor, id) : drmModeGetConnectorCurrent(file.descriptor, id)
    guard let connector = unsafe connector else { return nil }
    unsafe raw = connector
  }

  deinit { unsafe drmModeFreeConnector(raw) }

  var kind: ConnectorKind { unsafe ConnectorKind(raw.pointee.connector_type) }
  var name: String { unsafe "\(kind.name)-\(raw.pointee.connector_type_id)" }
  var encoder: UInt32 { unsafe raw.pointee.encoder_id }
  var encoders: [UInt32] { unsafe values(raw.pointee.encoders, raw.pointee.count_encoders) }
  var millimeters: Size { unsafe Size(Int(raw.pointee.mmWidth), Int(raw.pointee.mmHeight)) }

  var status: ConnectionStatus {
    switch unsafe raw.pointee.connection {
    case DRM_MODE_CONNECTED: .connected
    case DRM_MODE_DISCONNECTED: .disconnected
    default: .unknown
    }
  }

  var modes: [Mode] {
    guard let first = unsafe raw.pointee.modes else { return [] }
    return unsafe (0..<Int(max(0, raw.pointee.count_modes))).map { unsafe Mode(kernel: first[$0]) }
  }
}

/// Copies a C array; returns an empty array for a null pointer.
private func values(_ start: UnsafeMutablePointer<UInt32>?, _ count: Int32) -> [UInt32] {
  guard let start = unsafe start, count > 0 else { return [] }
  return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// Returns the current CRTC of an encoder and the mask of CRTCs that it can use, in the order of the card's CRTCs.
func encoderRoute(_ file: CardFile, _ id: UInt32) -> (crtc: UInt32, possible: UInt32)? {
  guard id != 0, let encoder = unsafe drmModeGetEncoder(file.descriptor, id) else { return nil }
  defer { unsafe drmModeFreeEncoder(encoder) }
  return unsafe (encoder.pointee.crtc_id, encoder.pointee.possible_crtcs)
}

/// Returns true if the CRTC has a mode.
func isCRTCEnabled(_ file: CardFile, _ id: UInt32) -> Bool {
  guard let crtc = unsafe drmModeGetCrtc(file.descriptor, id) else { return false }
  defer { unsafe drmModeFreeCrtc(crtc) }
  return unsafe crtc.pointee.mode_valid != 0
}
