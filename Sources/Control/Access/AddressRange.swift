/// An IP address or a network of addresses: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`.
package struct AddressRange: Hashable, Sendable {
  private let base: IPAddress
  /// The length of the prefix, 0...128 bits; an IPv4 prefix includes the 96 bits of the IPv4-mapped form.
  private let bits: Int

  /// Parses an address with or without a prefix length; returns nil for any other text.
  package init?(parsing text: String) {
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

  /// Returns whether an address is in the range.
  package func contains(_ address: IPAddress) -> Bool { base.agrees(with: address, bits: bits) }
}
