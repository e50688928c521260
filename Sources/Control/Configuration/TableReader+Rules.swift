import Displays
import Geometry
import Scenes

extension DisplayRequests {
  /// The configuration keys of the requests.
  static let keys = [
    "scene", "message", "mode", "policy", "rotate", "safe_area", "burn_in_shift", "foreground", "background", "accent",
    "font", "language", "tags", "hours", "hours_zone", "distance", "diagonal",
  ]
}

extension TableReader {
  /// Converts a `[[monitor]]` table: the criteria for its monitors, and the requested settings.
  func monitorRule() throws(ConfigurationError) -> MonitorRule {
    let features = ["vendor", "product", "serial", "serial_string", "name", "identity", "connector", "path", "role"]
    try refuseUnknownKeys(except: features + DisplayRequests.keys)
    guard features.contains(where: has) else {
      throw error(nil, "this rule does not select a monitor; give at least one of \(features.joined(separator: ", "))")
    }
    let rule = MonitorRule(match: try monitorMatch(), wishes: try displayRequests())
    guard DisplayRequests.keys.contains(where: has) else {
      throw error(nil, "this rule sets nothing; give at least one of \(DisplayRequests.keys.joined(separator: ", "))")
    }
    return rule
  }

  /// Returns the settings that the table requests for its displays.
  func displayRequests() throws(ConfigurationError) -> DisplayRequests {
    var style = StyleChanges()
    style.foreground = try color("foreground")
    style.background = try color("background")
    try refuseInvisibleText(style.foreground, style.background)
    style.accent = try color("accent")
    style.font = try word("font")
    style.language = try language("language")
    style.safeArea = try safeArea("safe_area")
    style.burnInShift = try burnInShift("burn_in_shift")
    return DisplayRequests(
      policy: try rulePolicy(), rotation: try rotation("rotate"), scene: try scene(), style: style,
      tags: try tags(), hours: try hours(), distance: try distance(), diagonal: try diagonal(),
      source: SourceLine(file: file, line: table.line))
  }

  private func tags() throws(ConfigurationError) -> [String]? {
    let tags = try words("tags")
    if let refusal = (tags ?? []).lazy.compactMap(Name.refusal(ofTag:)).first {
      throw error("tags", "\(name("tags")) holds a tag that \(refusal)")
    }
    return tags
  }

  private func monitorMatch() throws(ConfigurationError) -> MonitorMatch {
    var match = MonitorMatch()
    match.identity = try word("identity")
    let wanted = "it must be the three capital letters of the EDID, like \"DEL\"; * and ? match other letters"
    match.vendor = try value("vendor", wanted) { isVendor($0) ? $0 : nil }
    match.product = try integer("product", in: 0...0xFFFF).map(UInt16.init)
    match.serial = try integer("serial", in: 1...0xFFFF_FFFF).map(UInt32.init)
    match.serialString = try word("serial_string")
    match.name = try word("name")
    match.connector = try word("connector")
    match.path = try word("path")
    match.role = try choice("role", of: Role.self)
    return match
  }

  /// Returns whether a vendor can match; lowercase letters would match no monitor, without any error.
  private func isVendor(_ text: String) -> Bool {
    text.contains("*") ? !text.contains(where: \.isLowercase) : text.utf8.count == 3 && text == text.uppercased()
  }

  private func rulePolicy() throws(ConfigurationError) -> ModePolicy? {
    let wanted = "it must be a size with or without a rate, like \"1920x1080@60\" or \"1920x1080\""
    let mode = try value("mode", wanted) { text in
      if case .explicit(let size, let refresh)? = ModePolicy(parsing: text) {
        ModePolicy.explicit(size, refresh: refresh)
      } else {
        nil
      }
    }
    try refuseLargeMode(mode, "mode")
    let policy = try policy("policy")
    if mode != nil, policy != nil { throw error("mode", "mode and policy cannot both be set; leave one out") }
    return mode ?? policy
  }
}
