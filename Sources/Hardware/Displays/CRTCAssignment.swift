/// An assignment of CRTCs to connectors.
///
/// The matching drives as many connectors as possible. An enabled connector keeps its CRTC. The firmware's routing is
/// kept unless it would leave another connector without a CRTC.
package struct CRTCAssignment: Hashable, Sendable {
  /// A connector without a CRTC.
  package struct Dark: Hashable, Sendable {
    /// The connector's object ID.
    package var connector: UInt32
    /// The connector's name.
    package var name: String
    /// The reason, as a sentence.
    package var reason: String

    /// Creates an entry for a connector without a CRTC.
    package init(connector: UInt32, name: String, reason: String) {
      self.connector = connector
      self.name = name
      self.reason = reason
    }
  }

  /// The CRTC IDs by connector ID.
  package private(set) var crtcs: [UInt32: UInt32]
  /// The connectors without a CRTC, in the order of `wanted`.
  package private(set) var dark: [Dark]

  /// Matches connectors to the CRTCs of a card.
  ///
  /// - Parameters:
  ///   - wanted: The connectors to drive, in descending priority.
  ///   - crtcs: The card's CRTCs in the kernel's order. An index in this array is a bit number in `possibleCRTCs`.
  ///   - kept: The CRTC of each enabled connector, by connector ID. These assignments do not change.
  package init(wanted: [ConnectorSnapshot], crtcs: [CRTCSnapshot], kept: [UInt32: UInt32] = [:]) {
    var matching = Matching(crtcs: crtcs, kept: kept)
    let open = wanted.filter { kept[$0.id] == nil }
    for connector in open { matching.assignFirmwareCRTC(connector) }
    var dark: [Dark] = []
    for connector in open where matching.place[connector.id] == nil && !matching.augment(connector, among: open) {
      dark.append(Dark(connector, matching: matching))
    }
    self.crtcs = matching.place.filter { place in wanted.contains { $0.id == place.key } }
    self.dark = dark
  }
}

extension CRTCAssignment.Dark {
  fileprivate init(_ connector: ConnectorSnapshot, matching: Matching) {
    let possible = matching.crtcs(of: connector)
    let reason =
      possible.isEmpty
      ? "the card has no CRTC that can drive it"
      : "the card's CRTCs that can drive it (\(possible.count) of \(matching.crtcs.count)) are taken by other displays"
    self.init(connector: connector.id, name: connector.name, reason: reason)
  }
}

/// A bipartite matching under construction (Kuhn's augmenting paths).
///
/// Augmentation never reassigns a kept CRTC.
private struct Matching {
  let crtcs: [CRTCSnapshot]
  let kept: Set<UInt32>
  /// The CRTC by connector.
  var place: [UInt32: UInt32]
  /// The connector by CRTC.
  var holder: [UInt32: UInt32] = [:]

  init(crtcs: [CRTCSnapshot], kept: [UInt32: UInt32]) {
    self.crtcs = crtcs
    self.kept = Set(kept.values)
    place = kept
    for (connector, crtc) in kept { holder[crtc] = connector }
  }

  /// Returns the CRTCs that can drive the connector, assigned or not.
  func crtcs(of connector: ConnectorSnapshot) -> [UInt32] { connector.possibleCRTCs(among: crtcs) }

  mutating func give(_ crtc: UInt32, to connector: UInt32) {
    place[connector] = crtc
    holder[crtc] = connector
  }

  mutating func assignFirmwareCRTC(_ connector: ConnectorSnapshot) {
    guard let crtc = connector.currentCRTC, holder[crtc] == nil, crtcs(of: connector).contains(crtc) else { return }
    give(crtc, to: connector.id)
  }

  /// Assigns a CRTC to the connector, reassigning other connectors if necessary.
  ///
  /// Returns false if that is impossible.
  mutating func augment(_ connector: ConnectorSnapshot, among open: [ConnectorSnapshot]) -> Bool {
    var seen = kept
    return augment(connector, among: open, seen: &seen)
  }

  private mutating func augment(
    _ connector: ConnectorSnapshot, among open: [ConnectorSnapshot], seen: inout Set<UInt32>
  ) -> Bool {
    let possible = crtcs(of: connector).filter { !seen.contains($0) }
    // Try free CRTCs first, so that no connector is reassigned without need.
    for crtc in possible.filter({ holder[$0] == nil }) + possible.filter({ holder[$0] != nil }) {
      guard seen.insert(crtc).inserted else { continue }
      let other = holder[crtc].flatMap { id in open.first { $0.id == id } }
      if holder[crtc] == nil || other.map({ augment($0, among: open, seen: &seen) }) ?? false {
        give(crtc, to: connector.id)
        return true
      }
    }
    return false
  }
}

extension ConnectorSnapshot {
  /// Returns the CRTCs that can drive the connector.
  ///
  /// `possible_crtcs` is a 32-bit mask, so only the first 32 CRTCs count.
  ///
  /// - Parameter crtcs: The card's CRTCs in the kernel's order.
  /// - Returns: The object IDs of those that can drive it, in the same order.
  package func possibleCRTCs(among crtcs: [CRTCSnapshot]) -> [UInt32] {
    crtcs.prefix(32).enumerated().compactMap { index, crtc in
      possibleCRTCs & (1 << UInt32(index)) != 0 ? crtc.id : nil
    }
  }
}
