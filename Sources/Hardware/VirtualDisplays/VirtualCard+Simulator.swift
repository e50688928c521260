package import Displays
package import Geometry
import Synchronization

extension VirtualCard: MonitorSimulator {
  /// Plugs in a monitor of a given size, which is also its name.
  ///
  /// - Parameters:
  ///   - size: The size of the monitor's preferred mode in pixels.
  ///   - connector: The connector's name; nil for the first free one.
  /// - Returns: The connector's name; nil if the name is invalid, or if no connector is free.
  package func plug(_ size: Size, into connector: String?) -> String? {
    plug(VirtualMonitor(size: size, name: "\(size)"), into: connector)
  }

  /// Plugs in a monitor with a given EDID.
  ///
  /// - Parameters:
  ///   - bytes: The EDID, as read from a real monitor.
  ///   - connector: The connector's name; nil for the first free one.
  /// - Throws: `EDIDError` if the bytes cannot be parsed.
  /// - Returns: The connector's name; nil if the name is invalid, or if no connector is free.
  package func plug(edid bytes: [UInt8], into connector: String?) throws(EDIDError) -> String? {
    plug(try VirtualMonitor(edid: bytes), into: connector)
  }

  /// The sockets in numeric order.
  ///
  /// A monitor that is not a generic one is represented by its EDID.
  package var sockets: [VirtualSocket] {
    plugs.map { name, monitor in
      VirtualSocket(
        name: name,
        monitor: monitor.flatMap { monitor in
          let plain = monitor.modes.first.map { VirtualMonitor(size: $0.size, name: "\($0.size)") }
          if let size = monitor.modes.first?.size, plain == monitor { return .size(size) }
          return .edid(monitor.edid)
        })
    }
  }

  /// Replaces all sockets.
  ///
  /// The connectors of all others disappear.
  ///
  /// - Parameter sockets: The new sockets. Those with an invalid name or an EDID that cannot be parsed are skipped.
  package func restore(_ sockets: [VirtualSocket]) {
    replace(
      sockets.compactMap { socket in
        switch socket.monitor {
        case .size(let size): (socket.name, VirtualMonitor(size: size, name: "\(size)"))
        case .edid(let bytes): (try? VirtualMonitor(edid: bytes)).map { (socket.name, $0) }
        case nil: (socket.name, nil)
        }
      })
  }

  /// Returns the total number of pixels in the largest modes of all plugged monitors.
  ///
  /// - Parameter connector: A connector to leave out; nil for none.
  /// - Returns: The number of pixels.
  package func plugged(besides connector: String?) -> Int {
    monitors.reduce(0) { sum, entry in
      sum + (entry.key == connector ? 0 : FrameLimits.largest(of: entry.value.modes)?.area ?? 0)
    }
  }
}

extension VirtualCard {
  var monitors: [String: VirtualMonitor] { state.withLock { $0.connectors.compactMapValues(\.monitor) } }

  /// All sockets in numeric order, with their monitors.
  var plugs: [(String, VirtualMonitor?)] {
    state.withLock { $0.connectors.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.monitor) } }
  }

  /// Replaces all sockets at once and sends a `changed` event.
  func replace(_ plugs: [(String, VirtualMonitor?)]) {
    state.withLock { state in
      let former = state.connectors
      state.connectors = [:]
      for (name, monitor) in plugs {
        guard let number = Self.number(of: name) else { continue }
        var socket = former[name] ?? state.newSocket(number)
        socket.monitor = monitor
        state.connectors[name] = socket
      }
    }
    continuation.yield(.changed(connector: nil))
  }

  /// The name of the built-in panel, which makes it possible to test roles without a laptop.
  static let panel = "eDP-1"

  static func number(of name: String) -> Int? {
    if name == panel { return 65 }
    guard name.hasPrefix("Virtual-"), let number = Int(name.dropFirst(8)), (1...64).contains(number) else { return nil }
    return "Virtual-\(number)" == name ? number : nil
  }
}
