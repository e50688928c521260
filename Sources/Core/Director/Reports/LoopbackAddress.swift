import Access

extension String {
  /// Whether a URL names the local machine: localhost (RFC 6761, 6.3), 127.0.0.0/8, ::1, or the unspecified address
  /// (0.0.0.0, ::). `127.1` is 127.0.0.1 (inet_aton(3)).
  var isLoopbackAddress: Bool {
    let scheme = firstIndex(of: ":").flatMap { self[$0...].hasPrefix("://") ? index($0, offsetBy: 3) : nil }
    let rest = self[(scheme ?? startIndex)...]
    let authority = rest.prefix { $0 != "/" }
    let host =
      authority.hasPrefix("[")
      ? String(authority.dropFirst().prefix { $0 != "]" }) : authority.prefix { $0 != ":" }.lowercased()
    if let address = IPAddress(parsing: host) { return address.isLoopback || address.isWildcard }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.last == "localhost" || parts.first == "127" && parts.allSatisfy { UInt32($0) != nil }
  }
}
