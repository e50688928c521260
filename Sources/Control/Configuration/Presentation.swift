package import Displays
package import Geometry
package import Scenes
package import Schedules

/// The effective settings of one monitor.
package struct Presentation: Hashable, Sendable {
  /// The policy for choosing the mode.
  package var policy: ModePolicy
  /// The rotation.
  package var rotation: Rotation
  /// The style of scenes, before their own changes.
  package var style: Style
  /// The scene shown while no message and no session is; nil for the start screen.
  package var scene: Scene?
  /// The tags by which messages can address the monitor.
  package var tags: [String]
  /// The hours in which the monitor is lit; nil for always.
  package var hours: DisplayHours?
  /// The distance from which people read the monitor, in millimeters; nil if it is unknown.
  package var distance: Int?
  /// The diagonal of the image, in millimeters; nil to use the size in the EDID.
  package var diagonal: Int?
  /// The reasons, one sentence each, with the lines of the configuration.
  package var reasons: [String]
}

extension Settings {
  /// Returns the effective settings of a monitor.
  ///
  /// The first matching rule takes precedence over the role, and the role over the defaults. A built-in panel without a
  /// configured scene shows the controller screen.
  ///
  /// - Parameters:
  ///   - monitor: The identity of the monitor.
  ///   - role: Its role.
  /// - Returns: The settings, with the reasons for them.
  package func presentation(for monitor: MonitorIdentity, role: Role) -> Presentation {
    let rule = monitors.first { $0.match.matches(monitor, role: role) }
    let (first, second) = (rule?.wishes ?? DisplayRequests(), roles[role] ?? DisplayRequests())
    return Presentation(
      policy: first.policy ?? second.policy ?? policy, rotation: first.rotation ?? second.rotation ?? rotation,
      style: first.style.applied(to: second.style.applied(to: style)),
      scene: first.scene ?? second.scene ?? defaultScene(of: role), tags: first.tags ?? second.tags ?? [],
      hours: first.hours ?? second.hours ?? hours, distance: first.distance ?? second.distance ?? distance,
      diagonal: first.diagonal ?? second.diagonal,
      reasons: ruleReason(rule) + roleReason(role, beside: first)
        + sceneReason(role, isSaid: first.scene != nil || second.scene != nil))
  }

  private func defaultScene(of role: Role) -> Scene? {
    message.map(Scene.banner) ?? (role == .internal ? Scene(.controller) : nil)
  }

  private func ruleReason(_ rule: MonitorRule?) -> [String] {
    guard let rule else { return monitors.isEmpty ? [] : ["no [[monitor]] in the configuration matches this monitor"] }
    let sets = list(rule.wishes.words())
    return ["\(prefix(rule.wishes))this monitor matches [[monitor]] \(rule.match), which sets \(sets)"]
  }

  private func roleReason(_ role: Role, beside rule: DisplayRequests) -> [String] {
    guard let wishes = roles[role] else { return [] }
    let words = wishes.words(beside: rule)
    return words.isEmpty ? [] : ["\(prefix(wishes))[role.\(role.rawValue)] sets \(list(words))"]
  }

  private func sceneReason(_ role: Role, isSaid: Bool) -> [String] {
    if isSaid { return [] }
    if message != nil { return ["it shows the message of the configuration, which sets no scene for it"] }
    return role == .internal
      ? ["a built-in panel shows the controller screen unless the configuration sets a scene"] : []
  }

  private func prefix(_ wishes: DisplayRequests) -> String { wishes.source.map { "\($0): " } ?? "" }

  /// Joins words as `scene, rotate and tags`.
  private func list(_ words: [String]) -> String {
    let head = words.dropLast().joined(separator: ", ")
    return head.isEmpty ? words.last ?? "nothing" : "\(head) and \(words.last ?? "")"
  }
}
