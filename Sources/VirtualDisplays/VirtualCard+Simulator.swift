public import Displays
public import Geometry

extension VirtualCard: MonitorSimulator {
  /// Plugs a monitor of this size, named after it.
  public func plug(_ size: Size, into connector: String?) -> String? {
    plug(VirtualMonitor(size: size, name: "\(size)"), into: connector)
  }

  /// Plugs a monitor with a real one's EDID.
  public func plug(edid bytes: [UInt8], into connector: String?) throws(EDIDError) -> String? {
    plug(try VirtualMonitor(edid: bytes), into: connector)
  }
}
