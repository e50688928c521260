import Displays
import Geometry
import Scenes

/// The settings of a parsed file.
func settings(from root: TableReader) throws(ConfigurationError) -> Settings {
  try root.refuseUnknownKeys(except: [
    "policy", "message", "backend", "socket", "atomic", "log", "rotate", "glyph_cache", "style", "monitor",
  ])
  var settings = Settings()
  settings.policy = try root.policy("policy") ?? settings.policy
  settings.message = try root.string("message")
  settings.backend = try root.choice("backend", of: Backend.self) ?? settings.backend
  settings.socket = try root.socket("socket")
  settings.isAtomicAllowed = try root.bool("atomic") ?? settings.isAtomicAllowed
  settings.logLevel = try root.choice("log", of: LogLevel.self) ?? settings.logLevel
  settings.rotation = try root.rotation("rotate") ?? settings.rotation
  settings.glyphCache = try root.byteCount("glyph_cache", in: 0...4 << 30) ?? settings.glyphCache
  if let style = try root.table("style") { settings.style = try bannerStyle(from: style) }
  for table in try root.tables("monitor") { settings.monitors.append(try monitorRule(from: table)) }
  return settings
}

private func bannerStyle(from table: TableReader) throws(ConfigurationError) -> Style {
  try table.refuseUnknownKeys(except: [
    "foreground", "background", "font", "safe_area", "weight", "italic", "align", "line_height", "lines", "smallest",
    "largest", "tabular_figures", "small_caps",
  ])
  var style = Style()
  style.foreground = try table.color("foreground") ?? style.foreground
  style.background = try table.color("background") ?? style.background
  style.font = try table.word("font")
  // At half of the extent from each edge nothing would be left between them.
  if let percent = try table.number("safe_area", in: 0...45) { style.safeArea = percent / 100 }
  style.weight = try table.integer("weight", in: 1...1000)
  style.isItalic = try table.bool("italic") ?? style.isItalic
  style.alignment = try table.choice("align", of: Alignment.self) ?? style.alignment
  style.lineHeight = try table.number("line_height", in: 0.5...4) ?? style.lineHeight
  style.mostLines = try table.integer("lines", in: 1...1000)
  style.smallest = try table.number("smallest", in: 0.5...100).map { $0 / 100 }
  style.largest = try table.number("largest", in: 0.5...100).map { $0 / 100 }
  if let smallest = style.smallest, let largest = style.largest, smallest > largest {
    throw table.error("smallest", "style.smallest is larger than style.largest")
  }
  style.hasTabularFigures = try table.bool("tabular_figures") ?? style.hasTabularFigures
  style.hasSmallCaps = try table.bool("small_caps") ?? style.hasSmallCaps
  return style
}

private func monitorRule(from table: TableReader) throws(ConfigurationError) -> MonitorRule {
  let features = ["vendor", "product", "serial", "serial_string", "name", "identity", "connector", "path"]
  try table.refuseUnknownKeys(except: features + ["mode", "policy", "rotate"])
  guard features.contains(where: table.has) else {
    throw table.error(nil, "this rule names no monitor; give at least one of \(features.joined(separator: ", "))")
  }
  let rule = MonitorRule(
    match: try monitorMatch(from: table), policy: try rulePolicy(from: table), rotation: try table.rotation("rotate"))
  guard rule.policy != nil || rule.rotation != nil else {
    throw table.error(
      nil, "this rule says nothing; give it a mode (\"1920x1080@60\"), a policy (\"native\") or a turn (rotate = 90)")
  }
  return rule
}

private func monitorMatch(from table: TableReader) throws(ConfigurationError) -> MonitorMatch {
  var match = MonitorMatch()
  match.identity = try table.word("identity")
  match.vendor = try table.value("vendor", "it must be the three letters of the EDID, like \"DEL\"") { text in
    text.utf8.count == 3 ? text : nil
  }
  match.product = try table.integer("product", in: 0...0xFFFF).map(UInt16.init)
  match.serial = try table.integer("serial", in: 1...0xFFFF_FFFF).map(UInt32.init)
  match.serialString = try table.word("serial_string")
  match.name = try table.word("name")
  match.connector = try table.word("connector")
  match.path = try table.word("path")
  return match
}

private func rulePolicy(from table: TableReader) throws(ConfigurationError) -> ModePolicy? {
  let wanted = "it must be a size with or without a rate, like \"1920x1080@60\" or \"1920x1080\""
  let mode = try table.value("mode", wanted) { text in
    if case .explicit(let size, let refresh)? = ModePolicy(parsing: text) {
      ModePolicy.explicit(size, refresh: refresh)
    } else {
      nil
    }
  }
  let policy = try table.policy("policy")
  if mode != nil, policy != nil { throw table.error("mode", "mode and policy cannot both be set; leave one out") }
  return mode ?? policy
}

extension TableReader {
  fileprivate func color(_ key: String) throws(ConfigurationError) -> Color? {
    try value(key, "a colour is written #rrggbb or #rgb, like \"#0b1f4b\"") { Color(parsing: $0) }
  }

  fileprivate func policy(_ key: String) throws(ConfigurationError) -> ModePolicy? {
    let wanted = "it must be \"legible\", \"native\", \"halve-above-1080p\" or a mode like \"1920x1080@60\""
    return try value(key, wanted, ModePolicy.init(parsing:))
  }

  fileprivate func rotation(_ key: String) throws(ConfigurationError) -> Rotation? {
    guard let degrees = try integer(key, in: Int.min...Int.max) else { return nil }
    guard let rotation = Rotation(rawValue: degrees) else {
      throw error(key, "\(name(key)) is \(degrees); it must be 0, 90, 180 or 270: degrees clockwise")
    }
    return rotation
  }

  fileprivate func socket(_ key: String) throws(ConfigurationError) -> String? {
    // sun_path of unix(7) holds 108 bytes, the closing NUL among them.
    try value(key, "it must be an absolute path of at most 107 bytes") { text in
      text.hasPrefix("/") && text.utf8.count <= 107 ? text : nil
    }
  }
}
