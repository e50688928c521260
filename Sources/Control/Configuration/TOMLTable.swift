/// A syntax error, or a violation of a rule of TOML.
struct TOMLError: Error {
  /// The line, from 1.
  var line: Int
  /// The reason.
  var reason: String
}

/// A table, with the information whether it can be extended (TOML 1.0, "Table").
struct TOMLTable: Hashable, Sendable {
  /// The syntax that defined a table.
  enum Origin: Hashable, Sendable {
    /// A header of a table inside it, so that its own header may still follow.
    case implied
    /// Its own header.
    case header
    /// A dotted key, so that only dotted keys of the same table and headers of inner tables may extend it.
    case dotted
    /// Braces, so that it is complete.
    case inline
  }

  /// The entries, keyed by name.
  private(set) var entries: [String: TOMLNode] = [:]
  /// The line on which the table starts.
  var line: Int
  /// The syntax that defined the table.
  var origin: Origin

  /// Creates an empty table.
  init(line: Int, origin: Origin) {
    self.line = line
    self.origin = origin
  }

  /// Sets the value of a key, which can be dotted.
  mutating func set(_ path: ArraySlice<String>, to node: TOMLNode, line: Int) throws(TOMLError) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      if let old = entries[key] { throw twice(key, old, line) }
      entries[key] = node
      return
    }
    var inner = TOMLTable(line: line, origin: .dotted)
    if let old = entries[key] {
      guard case .table(let table) = old.value, table.origin == .dotted else { throw twice(key, old, line) }
      inner = table
    }
    try inner.set(path.dropFirst(), to: node, line: line)
    entries[key] = TOMLNode(value: .table(inner), line: inner.line)
  }

  /// Opens the table `[path]`, or with `isArray` the next table of `[[path]]`.
  mutating func open(_ path: ArraySlice<String>, isArray: Bool, line: Int) throws(TOMLError) {
    guard let key = path.first else { return }
    guard path.count == 1 else {
      return try change(key, line: line) { inner throws(TOMLError) in
        try inner.open(path.dropFirst(), isArray: isArray, line: line)
      }
    }
    let new = TOMLTable(line: line, origin: .header)
    switch entries[key]?.value {
    case nil: entries[key] = TOMLNode(value: isArray ? .tables([new]) : .table(new), line: line)
    case .tables(let tables) where isArray: entries[key]?.value = .tables(tables + [new])
    case .table(var table) where !isArray && table.origin == .implied:
      table.line = line
      table.origin = .header
      entries[key] = TOMLNode(value: .table(table), line: line)
    default:
      if let old = entries[key] { throw twice(key, old, line) }
    }
  }

  /// Changes the table at a header's path, which for an array of tables means its last element.
  mutating func change(
    _ path: ArraySlice<String>, line: Int, _ body: (inout TOMLTable) throws(TOMLError) -> Void
  ) throws(TOMLError) {
    guard let key = path.first else { return try body(&self) }
    try change(key, line: line) { inner throws(TOMLError) in try inner.change(path.dropFirst(), line: line, body) }
  }

  private mutating func change(
    _ key: String, line: Int, _ body: (inout TOMLTable) throws(TOMLError) -> Void
  ) throws(TOMLError) {
    switch entries[key]?.value {
    case nil:
      var inner = TOMLTable(line: line, origin: .implied)
      try body(&inner)
      entries[key] = TOMLNode(value: .table(inner), line: line)
    case .table(var inner) where inner.origin != .inline:
      try body(&inner)
      entries[key]?.value = .table(inner)
    case .tables(var tables):
      guard var last = tables.popLast() else { return }
      try body(&last)
      entries[key]?.value = .tables(tables + [last])
    default:
      if let old = entries[key] { throw twice(key, old, line) }
    }
  }

  private func twice(_ key: String, _ old: TOMLNode, _ line: Int) -> TOMLError {
    TOMLError(line: line, reason: "\"\(key)\" is already \(old.value.kind) from line \(old.line); keep one of them")
  }
}
