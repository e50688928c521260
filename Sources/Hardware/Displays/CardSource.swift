package import Geometry

/// A source of cards: the real ones of this machine, or one in memory.
package protocol CardSource: AnyObject, Sendable {
  /// The name of the backend, `kms` or `virtual`.
  var backend: String { get }

  /// The cards as they become available or unavailable, for a single consumer.
  var arrivals: AsyncStream<CardArrival> { get }

  /// Scans for cards and reports them, and all later changes, through `arrivals`.
  func start() async
}

/// A change in the set of available cards.
package enum CardArrival: Sendable {
  /// A card is ready; its own events report its removal.
  case ready(any DisplayCard)
  /// A card cannot be used yet; the source retries on its own.
  case waiting(WaitingCard)
  /// A card that was waiting is gone.
  case gone(path: String)
  /// The initial scan is complete, and all cards that were present have been reported.
  case settled
}

/// A card that the daemon cannot use yet.
package struct WaitingCard: Hashable, Sendable {
  /// The device node, such as `/dev/dri/card1`.
  package var path: String
  /// The reason, as a sentence with the next step.
  package var reason: String
  /// The reason that its displays are dark: `noMaster` or `noCard`.
  package var darkness: Darkness
  /// The kernel driver's name; nil if it is unknown.
  package var driver: String?
  /// The connectors as the last probe by any program left them.
  ///
  /// Name, kind, status and EDID are set. IDs are 0, and the mode lists are empty.
  package var connectors: [ConnectorSnapshot]

  /// Creates a waiting card.
  package init(
    path: String, reason: String, darkness: Darkness = .noMaster, driver: String? = nil,
    connectors: [ConnectorSnapshot] = []
  ) {
    self.path = path
    self.reason = reason
    self.darkness = darkness
    self.driver = driver
    self.connectors = connectors
  }
}

/// A backend that plugs simulated monitors.
///
/// Real cards do not implement it.
package protocol MonitorSimulator: AnyObject, Sendable {
  /// Plugs in a monitor of a given size.
  ///
  /// - Parameters:
  ///   - size: The size of the monitor's preferred mode in pixels.
  ///   - connector: The connector's name; nil for the first free one.
  /// - Returns: The connector's name; nil if the name is not that of a virtual connector, or if no connector is free.
  func plug(_ size: Size, into connector: String?) -> String?

  /// Plugs in a monitor with a given EDID.
  ///
  /// - Parameters:
  ///   - bytes: The EDID, as read from a real monitor.
  ///   - connector: The connector's name; nil for the first free one.
  /// - Throws: `EDIDError` if the bytes cannot be parsed.
  /// - Returns: The connector's name; nil if the name is not that of a virtual connector, or if no connector is free.
  func plug(edid bytes: [UInt8], into connector: String?) throws(EDIDError) -> String?

  /// Returns the total number of pixels in the largest modes of all plugged monitors.
  ///
  /// - Parameter connector: A connector to leave out, because its monitor is about to be replaced; nil for none.
  /// - Returns: The number of pixels.
  func plugged(besides connector: String?) -> Int

  /// Unplugs the monitor of a connector.
  ///
  /// - Parameter connector: The connector's name.
  /// - Returns: False if no monitor was plugged in.
  func unplug(_ connector: String) -> Bool

  /// All existing sockets with their monitors, in numeric order.
  var sockets: [VirtualSocket] { get }

  /// Replaces all sockets and their monitors.
  ///
  /// - Parameter sockets: The new sockets. Those with an invalid name or an EDID that cannot be parsed are skipped.
  func restore(_ sockets: [VirtualSocket])
}

/// A connector of the virtual backend.
package struct VirtualSocket: Hashable, Sendable {
  /// A simulated monitor.
  package enum Monitor: Hashable, Sendable {
    /// A generic monitor of this size.
    case size(Size)
    /// A monitor with these bytes as its EDID.
    case edid([UInt8])
  }

  /// The connector's name, such as `Virtual-2`.
  package var name: String
  /// The monitor that is plugged in; nil if none is.
  package var monitor: Monitor?

  /// Creates a socket.
  package init(name: String, monitor: Monitor?) {
    self.name = name
    self.monitor = monitor
  }
}
