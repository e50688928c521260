import CLinux
import Glibc

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
    for name in Self.names(in: folder) where name.hasPrefix("card") {
      let card = String(name.prefix { $0 != "-" })
      guard UInt32(card.dropFirst(4)) != nil else { continue }
      if card == name {
        cards[card, default: [:]] = cards[card] ?? [:]
      } else {
        let path = "\(folder)/\(name)"
        cards[card, default: [:]][name] = Self.bytes(of: path + "/status") + Self.bytes(of: path + "/edid")
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

  private static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      var characters = unsafe entry.pointee.d_name
      names.append(
        unsafe withUnsafeBytes(of: &characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private static func bytes(of path: String) -> [UInt8] {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { UeventSocket.close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    // An EDID has at most 256 blocks.
    while bytes.count < 32768 {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return bytes
  }
}
