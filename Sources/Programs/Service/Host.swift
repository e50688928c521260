import Glibc

/// The host, as named on the first screen.
enum Host {
  /// Returns the configured host name, or nil if only a default is set.
  static func name() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The kernel's default before user space sets a name (UTS_NODENAME).
    return ["", "(none)", "localhost"].contains(host) ? nil : host
  }
}
