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

  /// The pixels of the largest modes of all plugged monitors, without the one in `connector`.
  public func plugged(besides connector: String?) -> Int {
    monitors.reduce(0) { sum, entry in
      sum + (entry.key == connector ? 0 : FrameLimits.largest(of: entry.value.modes)?.area ?? 0)
    }
  }
}

extension VirtualCard {
  /// What is built in: one panel, so that roles can be tried without a laptop.
  static let panel = "eDP-1"

  static func number(of name: String) -> Int? {
    if name == panel { return 65 }
    guard name.hasPrefix("Virtual-"), let number = Int(name.dropFirst(8)), (1...64).contains(number) else { return nil }
    return "Virtual-\(number)" == name ? number : nil
  }
}
