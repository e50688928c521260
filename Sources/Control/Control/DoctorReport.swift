/// The findings of the daemon's checks of the machine.
public struct DoctorReport: Codable, Hashable, Sendable {
  /// The finding of one check.
  public struct Finding: Codable, Hashable, Sendable {
    /// The name of the check, such as `connectors`.
    public var check: String
    /// The severity: `ok`, `note`, `wrong`, or `unseen` if the check could not be made.
    public var severity: String
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
      check: String, severity: String, code: String, object: String?, text: String, fix: String?, command: String?
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
