/// Which CRTC drives which connector.
///
/// A matching of as many connectors as the card can drive at once: what is lit now stays where it is, what the
/// firmware set up is kept unless another connector would go dark for it, and who stays dark is named.
public struct CRTCAssignment: Hashable, Sendable {
  /// A connector that no CRTC is left for.
  public struct Dark: Hashable, Sendable {
    /// The connector's object id.
    public var connector: UInt32
    /// The connector's name.
    public var name: String
    /// Why, in a sentence.
    public var reason: String

    /// A dark connector from its parts.
    public init(connector: UInt32, name: String, reason: String) {
      self.connector = connector
      self.name = name
      self.reason = reason
    }
  }

  /// CRTC ids by connector id.
  public private(set) var crtcs: [UInt32: UInt32]
  /// Who stays dark, in the order of the wishes.
  public private(set) var dark: [Dark]

  /// Matches connectors, the most wanted first, to the CRTCs of the card, in the order of the card (the place is the
  /// bit in `possibleCRTCs`). `kept` holds the CRTC of each connector that is lit now: these never move.
  public init(wanted: [ConnectorSnapshot], crtcs: [CRTCSnapshot], kept: [UInt32: UInt32] = [:]) {
    var matching = Matching(crtcs: crtcs.map(\.id), kept: kept)
    let open = wanted.filter { kept[$0.id] == nil }
    for connector in open { matching.takeFirmware(connector) }
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

/// A bipartite matching in the making (augmenting paths, after Kuhn); what is kept is taken out of the game.
private struct Matching {
  let crtcs: [UInt32]
  let kept: Set<UInt32>
  /// CRTC by connector.
  var place: [UInt32: UInt32]
  /// Connector by CRTC.
  var holder: [UInt32: UInt32] = [:]

  init(crtcs: [UInt32], kept: [UInt32: UInt32]) {
    self.crtcs = crtcs
    self.kept = Set(kept.values)
    place = kept
    for (connector, crtc) in kept { holder[crtc] = connector }
  }

  /// The CRTCs that may drive the connector, taken or not; a mask has 32 bits.
  func crtcs(of connector: ConnectorSnapshot) -> [UInt32] {
    crtcs.prefix(32).enumerated().compactMap { index, crtc in
      connector.possibleCRTCs & (1 << UInt32(index)) != 0 ? crtc : nil
    }
  }

  mutating func give(_ crtc: UInt32, to connector: UInt32) {
    place[connector] = crtc
    holder[crtc] = connector
  }

  mutating func takeFirmware(_ connector: ConnectorSnapshot) {
    guard let crtc = connector.currentCRTC, holder[crtc] == nil, crtcs(of: connector).contains(crtc) else { return }
    give(crtc, to: connector.id)
  }

  /// Finds a CRTC for the connector, moving others where that makes room; false where none can be had.
  mutating func augment(_ connector: ConnectorSnapshot, among open: [ConnectorSnapshot]) -> Bool {
    var seen = kept
    return augment(connector, among: open, seen: &seen)
  }

  private mutating func augment(
    _ connector: ConnectorSnapshot, among open: [ConnectorSnapshot], seen: inout Set<UInt32>
  ) -> Bool {
    let possible = crtcs(of: connector).filter { !seen.contains($0) }
    // A free one first: nobody moves without need.
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
