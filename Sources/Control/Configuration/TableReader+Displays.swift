import Calendars
import Displays
import Geometry
import Locales
import Scenes
import Schedules

extension TableReader {
  /// Returns a color, or nil if the key is absent.
  func color(_ key: String) throws(ConfigurationError) -> Color? {
    try value(key, "write a color as #rrggbb or #rgb, like \"#0b1f4b\"") { Color(parsing: $0) }
  }

  /// Throws if text would have exactly the color of its background; nil is a color that the table does not set.
  func refuseInvisibleText(_ foreground: Color?, _ background: Color?) throws(ConfigurationError) {
    guard let foreground, foreground == background else { return }
    throw error(
      has("foreground") ? "foreground" : "background",
      "the foreground and the background are both \(foreground), so text would be invisible; choose colors with a contrast "
        + "of at least 4.5:1")
  }

  /// Returns a mode policy, or nil if the key is absent.
  func policy(_ key: String) throws(ConfigurationError) -> ModePolicy? {
    let wanted = "it must be \"legible\", \"native\", \"halve-above-1080p\" or a mode like \"1920x1080@60\""
    let policy = try value(key, wanted, ModePolicy.init(parsing:))
    try refuseLargeMode(policy, key)
    return policy
  }

  /// Throws for a mode above the frame size limit, which no display can have.
  func refuseLargeMode(_ policy: ModePolicy?, _ key: String) throws(ConfigurationError) {
    guard case .explicit(let size, _)? = policy, let refusal = FrameLimits.refusal(of: size) else { return }
    throw error(key, "\(name(key)) = \"\(policy?.description ?? "")\": \(refusal); give a smaller size")
  }

  /// Returns a rotation, given in degrees clockwise, or nil if the key is absent.
  func rotation(_ key: String) throws(ConfigurationError) -> Rotation? {
    guard let degrees = try integer(key, in: Int.min...Int.max) else { return nil }
    guard let rotation = Rotation(rawValue: degrees) else {
      throw error(key, "\(name(key)) is \(degrees); it must be 0, 90, 180 or 270: degrees clockwise")
    }
    return rotation
  }

  /// Returns the hours of `hours` in the time zone `hours_zone`, or nil if both are absent.
  func hours() throws(ConfigurationError) -> DisplayHours? {
    let zone = try word("hours_zone")
    guard let text = try word("hours") else {
      if zone != nil {
        throw error("hours_zone", "\(name("hours_zone")) is set without hours; set \(name("hours")) too")
      }
      return nil
    }
    do throws(ZoneError) {
      if let zone { _ = try Zone(named: zone) }
    } catch { throw self.error("hours_zone", "\(name("hours_zone")) = \"\(zone ?? "")\": \(error)") }
    do throws(HoursError) {
      return try DisplayHours(parsing: text, zone: zone)
    } catch { throw self.error("hours", "\(name("hours")) = \"\(text)\": \(error)") }
  }

  /// Returns the distance from which people read displays, in millimeters, or nil if the key is absent.
  func distance() throws(ConfigurationError) -> Int? {
    try length("distance", "6 m", from: "0.1 m", to: "1000 m")
  }

  /// Returns the diagonal of an image, in millimeters, or nil if the key is absent.
  func diagonal() throws(ConfigurationError) -> Int? { try length("diagonal", "55 in", from: "1 in", to: "100 m") }

  private func length(
    _ key: String, _ example: String, from least: String, to most: String
  ) throws(ConfigurationError) -> Int? {
    let range = (Length.millimeters(parsing: least) ?? 0)...(Length.millimeters(parsing: most) ?? 0)
    let wanted = "it must be a length from \(least) to \(most) with its unit, like \"\(example)\" (mm, cm, m, in or ft)"
    return try value(key, wanted) { text in Length.millimeters(parsing: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Returns the path of a Unix socket, or nil if the key is absent.
  func socket(_ key: String) throws(ConfigurationError) -> String? {
    // sun_path of unix(7) holds 108 bytes, including the terminating NUL.
    try value(key, "it must be an absolute path of at most 107 bytes") { text in
      text.hasPrefix("/") && text.utf8.count <= 107 ? text : nil
    }
  }

  /// Returns the absolute path of a folder, or nil if the key is absent.
  func folder(_ key: String) throws(ConfigurationError) -> String? {
    try value(key, "it must be the absolute path of a folder") { text in
      text.hasPrefix("/") && !text.contains("\0") ? text : nil
    }
  }

  /// Returns the absolute paths of folders, or nil if the key is absent.
  func folders(_ key: String) throws(ConfigurationError) -> [String]? {
    let paths = try words(key)
    for path in paths ?? [] where !path.hasPrefix("/") || path.contains("\0") {
      throw error(key, "\(name(key)) has \"\(path)\": each must be the absolute path of a folder, [\"/srv/signs\"]")
    }
    return paths
  }

  /// Returns a fraction, given in percent, or nil if the key is absent.
  func safeArea(_ key: String) throws(ConfigurationError) -> Double? {
    // A margin of half the extent on each side would leave no space between them.
    try number(key, in: 0...45).map { $0 / 100 }
  }

  /// Returns a shift in pixels per minute, or nil if the key is absent.
  func burnInShift(_ key: String) throws(ConfigurationError) -> Int? { try integer(key, in: Shift.steps) }

  /// Returns a language as a BCP 47 tag, or nil if the key is absent.
  func language(_ key: String) throws(ConfigurationError) -> String? {
    let wanted = "write a language as a BCP 47 tag, like \"de\" or \"en-GB\""
    return try value(key, wanted) { Language($0)?.tag }
  }

  /// Converts the table `[style]`, the default style of scenes.
  func style() throws(ConfigurationError) -> Style {
    try refuseUnknownKeys(except: [
      "foreground", "background", "accent", "font", "safe_area", "burn_in_shift", "weight", "italic", "align",
      "line_height", "lines", "smallest", "largest", "tabular_figures", "small_caps", "language",
    ])
    var style = Style()
    style.foreground = try color("foreground") ?? style.foreground
    style.background = try color("background") ?? style.background
    try refuseInvisibleText(style.foreground, style.background)
    style.accent = try color("accent") ?? style.accent
    style.font = try word("font")
    style.safeArea = try safeArea("safe_area") ?? style.safeArea
    style.burnInShift = try burnInShift("burn_in_shift") ?? style.burnInShift
    style.weight = try integer("weight", in: 1...1000)
    style.isItalic = try bool("italic") ?? style.isItalic
    style.alignment = try choice("align", of: Alignment.self) ?? style.alignment
    style.lineHeight = try number("line_height", in: 0.5...4) ?? style.lineHeight
    style.mostLines = try integer("lines", in: 1...1000)
    style.smallest = try number("smallest", in: 0.5...100).map { $0 / 100 }
    style.largest = try number("largest", in: 0.5...100).map { $0 / 100 }
    if let smallest = style.smallest, let largest = style.largest, smallest > largest {
      throw error("smallest", "style.smallest is larger than style.largest")
    }
    style.hasTabularFigures = try bool("tabular_figures") ?? style.hasTabularFigures
    style.language = try language("language")
    style.hasSmallCaps = try bool("small_caps") ?? style.hasSmallCaps
    return style
  }
}
