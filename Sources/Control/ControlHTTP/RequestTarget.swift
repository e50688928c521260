import Access

/// The parts of a request's target, in origin or absolute form (RFC 9112, 3.2).
struct RequestTarget {
  /// The scheme and the authority of a target in absolute form; nil in origin form.
  private let absolute: (scheme: String, authority: Substring)?
  /// The path and the query, still percent-encoded.
  let local: Substring

  /// Creates the parts of a target.
  init(_ target: String) {
    for scheme in ["http", "https"] where target.prefix(scheme.count + 3).lowercased() == "\(scheme)://" {
      let rest = target.dropFirst(scheme.count + 3)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      absolute = (scheme, rest[..<end])
      // An absolute target without a path means the root (RFC 9110, 4.2.3).
      local = rest[end...].hasPrefix("/") ? rest[end...] : "/\(rest[end...])"
      return
    }
    absolute = nil
    local = target[...]
  }

  /// Returns the path of a target, without the query.
  static func path(of target: String) -> Substring { RequestTarget(target).local.prefix { $0 != "?" } }

  /// Returns whether the target names a host, or none at all; a port that the scheme implies makes no difference.
  func names(_ host: Authority) -> Bool {
    guard let absolute else { return true }
    guard let authority = Authority(parsing: absolute.authority) else { return false }
    return WebOrigin(scheme: absolute.scheme, authority: authority)
      == WebOrigin(scheme: absolute.scheme, authority: host)
  }
}
