import Control
import Displays
import Geometry
import JSON

/// A validated request for a virtual monitor. Only monitors that can show frames are plugged in.
struct VirtualPlug {
  /// The source of the monitor's modes.
  private enum Origin {
    case size(Size)
    case edid([UInt8])
  }

  /// The connector's name; nil for the first free one.
  private let display: String?
  private let origin: Origin
  /// The size of the largest usable mode.
  private let size: Size

  /// Validates a request.
  ///
  /// - Parameter request: A size, or the bytes of an EDID in base64, and an optional connector name.
  /// - Throws: `ControlError` if the fields or the size are invalid, or if the EDID cannot be read or has no usable
  ///   mode.
  init(_ request: PlugRequest) throws(ControlError) {
    display = request.display
    try request.check()
    switch (request.width, request.height, request.edid) {
    case (let width?, let height?, nil):
      size = try Self.size(width, height)
      origin = .size(size)
    case (nil, nil, let text?):
      let bytes = try Self.bytes(text)
      size = try Self.largestSize(bytes)
      origin = .edid(bytes)
    default: throw request.refusal
    }
  }

  private static func size(_ width: Int, _ height: Int) throws(ControlError) -> Size {
    if let refusal = FrameLimits.refusal(of: Size(width, height)) {
      throw ControlError(.invalid, "a monitor of this size cannot be plugged: \(refusal); give a smaller size")
    }
    return Size(width, height)
  }

  private static func bytes(_ text: String) throws(ControlError) -> [UInt8] {
    guard let bytes = Base64.decode(text) else {
      throw ControlError(.invalid, "`edid` is not base64: send the EDID's bytes in base64")
    }
    return bytes
  }

  private static func largestSize(_ bytes: [UInt8]) throws(ControlError) -> Size {
    let modes: [Mode]
    do throws(EDIDError) {
      modes = try EDID(bytes).modes
    } catch {
      throw ControlError(.invalid, "the EDID cannot be used: \(error)")
    }
    guard let size = FrameLimits.largest(of: modes) else {
      throw ControlError(.invalid, "the EDID cannot be used: \(NoUsableMode(modes)); send one with a mode of its own")
    }
    return size
  }

  /// Checks that the virtual monitors together stay within their limit.
  ///
  /// - Parameter others: The pixels of the largest modes of all other virtual monitors.
  /// - Throws: A conflict with the sizes if the limit is exceeded.
  func check(against others: Int) throws(ControlError) {
    guard size.area + others > FrameLimits.mostVirtualPixels else { return }
    throw ControlError(
      .conflict,
      "a virtual monitor of \(size) cannot be plugged: all virtual monitors have at most "
        + "\(FrameLimits.mostVirtualPixels) pixels, and the others have \(others); unplug one, or give a smaller size")
  }

  /// Plugs the monitor.
  ///
  /// - Parameter simulator: The card in memory.
  /// - Returns: The connector's name; nil if the requested name does not belong to a virtual connector, or none is
  ///   free.
  /// - Throws: `ControlError` if the EDID is invalid.
  func plug(into simulator: any MonitorSimulator) throws(ControlError) -> String? {
    switch origin {
    case .size(let size): return simulator.plug(size, into: display)
    case .edid(let bytes):
      do throws(EDIDError) {
        return try simulator.plug(edid: bytes, into: display)
      } catch {
        throw ControlError(.invalid, "the EDID cannot be used: \(error)")
      }
    }
  }
}
