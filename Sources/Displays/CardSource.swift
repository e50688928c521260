public import Geometry

/// Where cards come from: the real ones of this machine, or one in memory.
public protocol CardSource: AnyObject, Sendable {
  /// `kms` or `virtual`.
  var backend: String { get }

  /// Cards as they come and what keeps others from coming; one consumer.
  var arrivals: AsyncStream<CardArrival> { get }

  /// Looks for cards; everything after comes through `arrivals`.
  func start() async
}

/// A card that came, or one that cannot be had yet.
public enum CardArrival: Sendable {
  /// A card that is ready; its own events say when it is gone.
  case ready(any DisplayCard)
  /// A card that cannot be used for now; it is tried again by itself.
  case waiting(WaitingCard)
  /// A card that was waited for is gone.
  case gone(path: String)
  /// The first look for cards is over: all that were there have been told.
  case settled
}

/// A card that the service cannot use for now.
public struct WaitingCard: Hashable, Sendable {
  /// The device node, `/dev/dri/card1`.
  public var path: String
  /// Why it cannot be used, in a sentence with the next step.
  public var reason: String
  /// What its displays are dark for: `noMaster` or `noCard`.
  public var darkness: Darkness
  /// The kernel driver's name; nil where it is unknown.
  public var driver: String?
  /// The connectors as the last probe of any program left them: name, kind, status and EDID. Ids are 0, modes are empty.
  public var connectors: [ConnectorSnapshot]

  /// A card from its parts.
  public init(
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

/// Plugs monitors that exist in memory; the virtual backend has it, real cards do not.
public protocol MonitorSimulator: AnyObject, Sendable {
  /// Plugs a monitor of this size.
  ///
  /// - Returns: the connector's name; nil where the asked name is no virtual connector's or none is free.
  func plug(_ size: Size, into connector: String?) -> String?

  /// Plugs a monitor with a real one's EDID, or throws what is wrong with the bytes.
  func plug(edid bytes: [UInt8], into connector: String?) throws(EDIDError) -> String?

  /// The pixels of the largest modes of all plugged monitors.
  ///
  /// - Parameter connector: A connector that is left out, since another monitor replaces its own; nil for none.
  func plugged(besides connector: String?) -> Int

  /// Pulls the plug; false where nothing was plugged in.
  func unplug(_ connector: String) -> Bool

  /// The sockets that exist, in the order of their numbers, with what is plugged into each.
  var sockets: [VirtualSocket] { get }

  /// Replaces all sockets and what is plugged into them. Sockets with a name or an EDID that cannot be used are left out.
  func restore(_ sockets: [VirtualSocket])
}

/// A connector of the virtual backend.
public struct VirtualSocket: Hashable, Sendable {
  /// What is plugged into a socket.
  public enum Monitor: Hashable, Sendable {
    /// A plain monitor of this size.
    case size(Size)
    /// A monitor with these bytes as its EDID.
    case edid([UInt8])
  }

  /// The connector's name, `Virtual-2`.
  public var name: String
  /// What is plugged in; nil for nothing.
  public var monitor: Monitor?

  /// A socket from its parts.
  public init(name: String, monitor: Monitor?) {
    self.name = name
    self.monitor = monitor
  }
}
