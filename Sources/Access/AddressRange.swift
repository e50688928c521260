/// An address, or a network of addresses: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressRange: Hashable, Sendable {
  private let base: IPAddress
  /// Of 128, where those of IPv4 begin with 96 of their own.
  private let bits: Int

  /// Reads an address, with or without the number of its network's bits; nil for anything else.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = IPAddress(parsing: parts[0]) else { return nil }
    self.base = base
    guard parts.count == 2 else {
      bits = 128
      return
    }
    let most = base.isIPv4 ? 32 : 128
    guard let count = Int(parts[1]), (0...most).contains(count), parts[1].utf8.first != UInt8(ascii: "+") else {
      return nil
    }
    bits = count + 128 - most
  }

  /// Whether an address is in it.
  public func contains(_ address: IPAddress) -> Bool { base.agrees(with: address, bits: bits) }
}
