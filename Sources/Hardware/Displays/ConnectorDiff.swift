package import Geometry

/// The changes on a card between two probes.
package struct ConnectorDiff: Hashable, Sendable {
  /// A change of one connector.
  package enum Change: Hashable, Sendable {
    /// A monitor was connected.
    ///
    /// It may not be displayable yet (`isDisplayable`); see `ProbeRetry`.
    case connected(ConnectorSnapshot)
    /// The monitor was disconnected, and the connector still exists.
    case disconnected(ConnectorSnapshot)
    /// The connector itself is gone, as after an MST hub was unplugged.
    ///
    /// The value is its last state.
    case vanished(ConnectorSnapshot)
    /// A different monitor is on the connector: the EDID changed without a disconnect in between.
    case replaced(old: ConnectorSnapshot, new: ConnectorSnapshot)
    /// The mode list changed, or the EDID arrived late or was lost: choose a mode again.
    case modesChanged(old: ConnectorSnapshot, new: ConnectorSnapshot)
    /// The link failed (`link-status` is BAD): only a full modeset with the same mode restores it.
    case linkBad(ConnectorSnapshot)

    /// The current state of the connector, or its last state if it is gone.
    package var connector: ConnectorSnapshot {
      switch self {
      case .connected(let now), .disconnected(let now), .vanished(let now), .linkBad(let now): now
      case .replaced(_, let now), .modesChanged(_, let now): now
      }
    }
  }

  /// The changes: removals first, so that their CRTCs are free, then the rest in the card's order.
  package private(set) var changes: [Change]

  /// Compares two snapshots of one card.
  ///
  /// Writeback and non-desktop connectors are ignored. Connectors are identified by ID and name together, because the
  /// kernel reuses the IDs of MST connectors. An unknown status counts as disconnected. `linkBad` is reported by each
  /// comparison until a modeset resets `link-status`.
  ///
  /// - Parameters:
  ///   - old: The earlier snapshot; nil makes every connected monitor a new one.
  ///   - new: The later snapshot.
  package init(from old: CardSnapshot?, to new: CardSnapshot) {
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
  /// Compares two states of a connector that is connected now.
  ///
  /// Returns nil if nothing changed.
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
  /// The connectors that can show messages, with or without a monitor.
  ///
  /// Writeback and non-desktop connectors are excluded. A tiled monitor is represented by its first connected tile.
  package var displays: [ConnectorSnapshot] { connectors.compactMap { $0.asDisplay(beside: connectors) } }
}

extension ConnectorSnapshot {
  /// True if a monitor is connected and lists a usable mode.
  ///
  /// A monitor whose EDID is late lists none yet.
  package var isDisplayable: Bool { status == .connected && modes.contains { $0.flaw == nil } }

  /// True if the modes come from an EDID.
  ///
  /// The kernel rejects an EDID with an invalid base block (`drm_edid_block_valid()`) and generates a mode list,
  /// although the EDID property still holds the invalid bytes.
  package var hasSoundEDID: Bool {
    guard let edid = try? EDID(edid) else { return false }
    return !edid.isDegraded
  }

  /// The size of the image in millimeters; nil if it is unknown.
  ///
  /// It is that of the EDID. Without an EDID, as for most built-in panels, it is the one that the kernel reports.
  package var imageSize: Size? {
    let size = edid.isEmpty ? millimeters : (try? EDID(edid))?.millimeters
    return size.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
  }

  /// The reason that the connector has no usable mode, as a sentence; nil if it has one.
  package var modeRefusal: String? { modes.contains { $0.flaw == nil } ? nil : "\(NoUsableMode(modes))" }

  fileprivate func isSameSocket(as other: ConnectorSnapshot) -> Bool { id == other.id && name == other.name }
}

/// The delays before further probes of a display that is dark for a temporary reason: no mode yet, or a busy card.
package enum ProbeRetry {
  /// The delays before each further probe.
  ///
  /// After the last one, only a uevent triggers a probe.
  package static let delays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]

  /// The maximum delay of retries without an end.
  package static let longest: Duration = .seconds(5)

  /// The delay between probes of a display that rejected all its modes, after the first few.
  package static let patient: Duration = .seconds(60)

  /// Returns the delay before the next retry while another program is DRM master.
  ///
  /// - Parameter retries: The number of retries so far.
  /// - Returns: 20 ms, doubled with each retry, up to `longest`.
  package static func masterDelay(after retries: Int) -> Duration {
    min(longest, .milliseconds(20 << min(max(retries, 0), 8)))
  }

  /// Returns the delay before the next probe.
  ///
  /// - Parameter retries: The number of retries so far.
  /// - Returns: The delay; nil if only a uevent triggers the next probe.
  package static func delay(after retries: Int) -> Duration? {
    delays.indices.contains(retries) ? delays[retries] : nil
  }
}
