import Glibc

/// An IPv4 or IPv6 address without a scope ID.
package struct IPAddress: Hashable, Sendable {
  /// The first and the last eight bytes of the IPv6 form.
  ///
  /// IPv4 addresses are stored in their IPv4-mapped form (RFC 4291, 2.5.5.2), so that a client has the same address on
  /// an IPv4 and on an IPv6 socket.
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates an address from its 16 bytes.
  init(_ bytes: some Collection<UInt8>) {
    func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8).prefix(8)))
  }

  /// Creates an address from the four bytes of an IPv4 address.
  init(v4 bytes: some Collection<UInt8>) { self.init([UInt8](repeating: 0, count: 10) + [255, 255] + bytes) }

  /// Parses `192.0.2.1` or `2001:db8::1`, without brackets; returns nil for any other text.
  package init?(parsing text: some StringProtocol) {
    let text = String(text)
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(v4: bytes.prefix(4))
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(bytes)
    } else {
      return nil
    }
  }

  /// The 16 bytes in network byte order; IPv4 addresses are in their mapped form.
  package var bytes: [UInt8] {
    [high, low].flatMap { part in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: part >> $0) } }
  }

  /// Whether the address is an IPv4 address.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether only this machine can have the address: 127.0.0.0/8 or ::1.
  package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// Whether the address stands for all addresses of a machine: 0.0.0.0 or ::.
  package var isWildcard: Bool { isIPv4 ? low & 0xFFFF_FFFF == 0 : high == 0 && low == 0 }

  /// Whether the address is link-local: 169.254.0.0/16 or fe80::/10.
  package var isLinkLocal: Bool { isIPv4 ? low >> 16 & 0xFFFF == 0xA9FE : high >> 54 == 0x3FA }

  /// The address under which a client is counted against the limits.
  ///
  /// An IPv4 client is counted alone. An IPv6 client is counted with its /64 network, because a host in one can use any
  /// of its 2^64 addresses.
  package var share: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// Returns whether the first bits of two addresses are equal.
  ///
  /// - Parameters:
  ///   - other: The other address.
  ///   - bits: The number of bits to compare, 0...128. For IPv4, this includes the 96 bits of the IPv4-mapped form.
  /// - Returns: Whether those bits are equal.
  func agrees(with other: IPAddress, bits: Int) -> Bool {
    let first = bits >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(bits))
    let second = bits <= 64 ? 0 : bits >= 128 ? UInt64.max : ~(UInt64.max >> UInt64(bits - 64))
    return (high ^ other.high) & first == 0 && (low ^ other.low) & second == 0
  }
}

extension IPAddress: CustomStringConvertible {
  /// The address as text: `192.0.2.1`, `2001:db8::1`.
  package var description: String {
    let bytes = isIPv4 ? Array(bytes.suffix(4)) : bytes
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let length = socklen_t(text.count)
    guard unsafe inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, length) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The address as it appears in a URL, with brackets around IPv6 addresses.
  package var inURL: String { isIPv4 ? description : "[\(description)]" }
}
