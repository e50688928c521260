import SystemFiles

/// The state of all cards in sysfs, as the last probe left it.
///
/// Reading it does not cause a probe.
struct SysfsSnapshot: Hashable, Sendable {
  /// The connectors by card name and connector name.
  ///
  /// The values are status and EDID as bytes that are only compared.
  var cards: [String: [String: [UInt8]]] = [:]

  init(cards: [String: [String: [UInt8]]]) { self.cards = cards }

  /// Reads `/sys/class/drm`, where `card0` is a card and `card0-HDMI-A-1` one of its connectors.
  ///
  /// Entries that disappear before they are read count as absent.
  init(of folder: String) {
    let files = SystemFiles()
    for name in files.names(in: folder) where name.hasPrefix("card") {
      let card = String(name.prefix { $0 != "-" })
      guard UInt32(card.dropFirst(4)) != nil else { continue }
      if card == name {
        cards[card, default: [:]] = cards[card] ?? [:]
      } else {
        cards[card, default: [:]][name] = ["status", "edid"].flatMap { files.bytes("\(folder)/\(name)/\($0)") ?? [] }
      }
    }
  }

  /// Returns the events that explain the differences from an earlier snapshot.
  func hints(since old: SysfsSnapshot) -> [HotplugEvent] {
    let gone = old.cards.keys.filter { cards[$0] == nil }.sorted()
    let changed = cards.keys.filter { old.cards[$0] != cards[$0] }.sorted()
    return gone.map { .cardRemoved("/dev/dri/\($0)") }
      + changed.map { card in
        let node = "/dev/dri/\(card)"
        return old.cards[card] == nil ? .cardAdded(node) : .connectors(card: node, connector: nil, property: nil)
      }
  }
}
