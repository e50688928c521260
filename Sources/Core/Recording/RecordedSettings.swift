/// What of the settings decides how displays are lit: neither messages nor scenes, nor who may control the service.
struct RecordedSettings: Codable, Hashable, Sendable {
  /// What is wanted for a monitor or a role.
  struct Wishes: Codable, Hashable, Sendable {
    var policy: String?
    var rotation: Int?
  }

  /// A rule for some monitors.
  struct Rule: Codable, Hashable, Sendable {
    var vendor: String?
    var product: UInt16?
    var serial: UInt32?
    var serialText: String?
    var name: String?
    var identity: String?
    var connector: String?
    var path: String?
    var role: String?
    var wishes: Wishes
  }

  var policy: String
  var rotation: Int
  var isAtomicAllowed: Bool
  var roles: [String: Wishes]
  var rules: [Rule]
  /// Rules name monitors by what was masked, and could not be masked with them: the monitors that came tell what counts.
  var areRulesMasked: Bool?
}
