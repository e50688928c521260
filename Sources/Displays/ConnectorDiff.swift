/// What changed on a card between two probes: values in, values out, nothing is done here.
public struct ConnectorDiff: Hashable, Sendable {
  /// Something that happened to one connector.
  public enum Change: Hashable, Sendable {
    /// A monitor is there that was not. It may not be displayable yet (`isDisplayable`): see `ProbeRetry`.
    case connected(ConnectorSnapshot)
    /// The monitor is gone, the connector is still there.
    case disconnected(ConnectorSnapshot)
    /// The connector itself is gone (an MST hub was unplugged); this is what it was.
    case vanished(ConnectorSnapshot)
    /// Another monitor on the same connector: the EDID differs although it never was seen disconnected.
    case replaced(old: ConnectorSnapshot, new: ConnectorSnapshot)
    /// The same monitor lists other modes, or its EDID came late or was lost: pick again.
    case modesChanged(old: ConnectorSnapshot, new: ConnectorSnapshot)
    /// The link broke (`link-status` BAD): only a full modeset with the same mode brings it back.
    case linkBad(ConnectorSnapshot)

    /// The connector as it is now, or as it was last seen.
    public var connector: ConnectorSnapshot {
      switch self {
      case .connected(let now), .disconnected(let now), .vanished(let now), .linkBad(let now): now
      case .replaced(_, let now), .modesChanged(_, let now): now
      }
    }
  }

  /// The changes: what is gone first, so that its CRTC is free, then the rest in the card's order.
  public private(set) var changes: [Change]

  /// Compares two snapshots of one card; without an old one everything that is connected is new.
  ///
  /// Connectors that are no display (writeback) or not for a desktop (head-mounted) are left out. A connector is known
  /// by its id and name together, since ids of MST connectors are given anew. A status that the driver cannot tell
  /// counts as disconnected. `linkBad` is told at every comparison as long as the link is bad: the kernel leaves it so
  /// until a modeset.
  public init(from old: CardSnapshot?, to new: CardSnapshot) {
    let before = old?.displays ?? []
    let after = new.displays
    let gone = before.filter { one in one.status == .connected && !after.contains { $0.isSameSocket(as: one) } }
    let stayed = after.map { now in (before.first { $0.isSameSocket(as: now) }, now) }
    let lost = stayed.compactMap { then, now in
      then?.status == .connected && now.status != .connected ? Change.disconnected(now) : nil
    }
    changes = gone.map(Change.vanished) + lost + stayed.compactMap { Change(from: $0, to: $1) }
  }
}

extension ConnectorDiff.Change {
  /// What happened to a connector that is connected now; nil for nothing.
  fileprivate init?(from old: ConnectorSnapshot?, to new: ConnectorSnapshot) {
    guard new.status == .connected else { return nil }
    guard let old, old.status == .connected else {
      self = .connected(new)
      return
    }
    if !old.edid.isEmpty, !new.edid.isEmpty, old.edid != new.edid {
      self = .replaced(old: old, new: new)
    } else if old.modes != new.modes || old.edid != new.edid {
      self = .modesChanged(old: old, new: new)
    } else if new.isLinkBad {
      self = .linkBad(new)
    } else {
      return nil
    }
  }
}

extension CardSnapshot {
  /// The connectors that a message can be shown on, plugged or not: no writeback, no head-mounted display, and of a monitor
  /// in tiles the first one that is connected.
  public var displays: [ConnectorSnapshot] { connectors.compactMap { $0.asDisplay(beside: connectors) } }
}

extension ConnectorSnapshot {
  /// Whether a monitor is connected and lists a mode that can be chosen. One whose EDID is late lists none yet.
  public var isDisplayable: Bool { status == .connected && modes.contains { $0.flaw == nil } }

  /// Whether the modes come from an EDID. The kernel throws away one whose base block is broken
  /// (drm_edid_block_valid()) and lists modes of its own, although the EDID property holds the broken bytes.
  public var hasSoundEDID: Bool {
    guard let edid = try? EDID(edid) else { return false }
    return !edid.isDegraded
  }

  /// Why the connector has no mode that can be chosen, in a sentence; nil where it has one.
  public var modeRefusal: String? { modes.contains { $0.flaw == nil } ? nil : "\(NoUsableMode(modes))" }

  fileprivate func isSameSocket(as other: ConnectorSnapshot) -> Bool { id == other.id && name == other.name }
}

/// When to probe again for what is dark and may not stay so: a monitor that has no mode yet, a card that is busy.
public enum ProbeRetry {
  /// How long to wait before each further probe; after the last one only a uevent helps.
  public static let delays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]

  /// How long to wait at most where it is never given up.
  public static let longest: Duration = .seconds(5)

  /// How long to wait between looks at a display whose modes were all refused, after the first few.
  public static let patient: Duration = .seconds(60)

  /// How long to wait after so many retries while another program is master: 20 ms, doubled each time, up to `longest`.
  public static func masterDelay(after retries: Int) -> Duration {
    min(longest, .milliseconds(20 << min(max(retries, 0), 8)))
  }

  /// How long to wait after so many retries; nil when it is time to wait for a uevent instead.
  public static func delay(after retries: Int) -> Duration? { delays.indices.contains(retries) ? delays[retries] : nil }
}
