import Configuration
import Displays
import Geometry
import Schedules

extension RecordedSettings {
  init(_ settings: Settings) {
    policy = "\(settings.policy)"
    rotation = settings.rotation.rawValue
    isAtomicAllowed = settings.isAtomicAllowed
    (hours, zone) = (settings.hours?.text, settings.hours?.zone)
    roles = Dictionary(uniqueKeysWithValues: settings.roles.map { ($0.key.rawValue, Wishes($0.value)) })
    rules = settings.monitors.map(Rule.init)
  }

  /// Settings that lead to the same decisions. Values that cannot be read have their defaults.
  var value: Settings {
    var settings = Settings(
      policy: ModePolicy(parsing: policy) ?? .legible, message: "", isAtomicAllowed: isAtomicAllowed,
      rotation: Rotation(rawValue: rotation) ?? .none)
    for (name, wishes) in roles { if let role = Role(rawValue: name) { settings.roles[role] = wishes.value } }
    settings.monitors = rules.map(\.value)
    settings.hours = hours.flatMap { try? DisplayHours(parsing: $0, zone: zone) }
    return settings
  }
}

extension RecordedSettings.Wishes {
  init(_ wishes: DisplayRequests) {
    policy = wishes.policy.map { "\($0)" }
    rotation = wishes.rotation?.rawValue
    (hours, zone) = (wishes.hours?.text, wishes.hours?.zone)
  }

  var value: DisplayRequests {
    DisplayRequests(
      policy: policy.flatMap { ModePolicy(parsing: $0) }, rotation: rotation.flatMap { Rotation(rawValue: $0) },
      hours: hours.flatMap { try? DisplayHours(parsing: $0, zone: zone) })
  }
}

extension RecordedSettings.Rule {
  init(_ rule: MonitorRule) {
    let match = rule.match
    (vendor, product, serial, serialText) = (match.vendor, match.product, match.serial, match.serialString)
    (name, identity, connector, path) = (match.name, match.identity, match.connector, match.path)
    role = match.role?.rawValue
    wishes = RecordedSettings.Wishes(rule.wishes)
  }

  var value: MonitorRule {
    MonitorRule(
      match: MonitorMatch(
        vendor: vendor, product: product, serial: serial, serialString: serialText, name: name, identity: identity,
        connector: connector, path: path, role: role.flatMap(Role.init(rawValue:))),
      wishes: wishes.value)
  }
}
