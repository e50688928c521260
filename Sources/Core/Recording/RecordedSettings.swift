/// The settings that affect how displays are enabled: neither messages nor scenes, nor access to the service.
struct RecordedSettings: Codable, Hashable, Sendable {
  /// The requests for a monitor or a role.
  struct Wishes: Codable, Hashable, Sendable {
    var policy: String?
    var rotation: Int?
    var hours: String?
    var zone: String?
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
  /// The hours for all displays, with their time zone; nil for always.
  var hours: String?
  var zone: String?
  var roles: [String: Wishes]
  var rules: [Rule]
  /// True if the rules were removed because they match masked values. A replay derives its rules from the recorded
  /// monitors instead.
  var areRulesMasked: Bool?
}
