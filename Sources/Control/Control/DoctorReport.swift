/// The findings of the daemon's checks of the machine.
public struct DoctorReport: Codable, Hashable, Sendable {
  /// The finding of one check.
  public struct Finding: Codable, Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
      /// The check found nothing.
      case ok
      /// Something is worth knowing.
      case note
      /// Something is wrong.
      case wrong
      /// The check could not be made.
      case unseen
    }

    /// The name of the check, such as `connectors`.
    public var check: String
    /// The severity.
    public var severity: Severity
    /// The identifier of the finding, for programs, such as `master-held`.
    public var code: String
    /// The object concerned, such as `/dev/dri/card0`; nil for the machine.
    public var object: String?
    /// A sentence that names the object.
    public var text: String
    /// The next step, for people; nil if there is none.
    public var fix: String?
    /// A command for the next step; nil if there is none.
    public var command: String?

    /// Creates a finding.
    public init(
      check: String, severity: Severity, code: String, object: String?, text: String, fix: String?, command: String?
    ) {
      (self.check, self.severity, self.code, self.object) = (check, severity, code, object)
      (self.text, self.fix, self.command) = (text, fix, command)
    }
  }

  /// Whether no finding is `wrong`.
  public var healthy: Bool
  /// The findings, in the order of the checks.
  public var findings: [Finding]

  /// Creates a report.
  public init(healthy: Bool = true, findings: [Finding] = []) {
    self.healthy = healthy
    self.findings = findings
  }
}

/// The newest lines of the daemon's log.
public struct LogReport: Codable, Hashable, Sendable {
  /// The maximum number of lines that the daemon remembers.
  public static let most = 200

  /// The lines, oldest first, each with its UTC time and its level.
  public var lines: [String]

  /// Creates a report.
  public init(lines: [String] = []) { self.lines = lines }
}

extension DoctorReport: InterfaceObject {
  package static let interface = Interface.report(
    "DoctorReport", "The findings of the service's checks of the machine.",
    [
      field("healthy", \.healthy, "Whether no finding is wrong."),
      field("findings", \.findings, "The findings, in the order of the checks."),
    ])
}

extension DoctorReport.Finding.Severity: InterfaceValue {}

extension DoctorReport.Finding: InterfaceObject {
  package static let interface = Interface.part(
    "The finding of one check.",
    [
      field("check", \.check, "The name of the check.", .example("connectors")),
      field("severity", \.severity, "The severity; unseen if the check could not be made."),
      field("code", \.code, "The identifier of the finding, for programs.", .example("master-held")),
      field("object", \.object, "The object concerned; absent for the machine.", .example("/dev/dri/card0")),
      field("text", \.text, "A sentence that names the object."),
      field("fix", \.fix, "The next step, for people."),
      field("command", \.command, "A command for the next step.", .example("sudo usermod -aG video ada")),
    ])
}

extension LogReport: InterfaceObject {
  package static let interface = Interface.report(
    "LogReport", "The newest lines of the service's log.",
    [field("lines", \.lines, "The lines, oldest first, each with its UTC time and its level.")])
}
