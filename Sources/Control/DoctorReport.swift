/// What the service's own checks of the machine found.
public struct DoctorReport: Codable, Hashable, Sendable {
  /// What one check found.
  public struct Finding: Codable, Hashable, Sendable {
    /// What was checked, `connectors`.
    public var check: String
    /// How bad it is: `ok`, `note`, `wrong`, or `unseen` for what could not be checked.
    public var mark: String
    /// The finding's name for programs, `master-held`.
    public var code: String
    /// What it is about, `/dev/dri/card0`; nil for the machine.
    public var object: String?
    /// A sentence that names the object.
    public var text: String
    /// The next step, in words; nil if there is none.
    public var fix: String?
    /// A command for the next step; nil if there is none.
    public var command: String?

    /// Creates a finding.
    public init(
      check: String, mark: String, code: String, object: String?, text: String, fix: String?, command: String?
    ) {
      (self.check, self.mark, self.code, self.object) = (check, mark, code, object)
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

/// The newest lines of the service's log.
public struct LogReport: Codable, Hashable, Sendable {
  /// Most lines that the service remembers.
  public static let most = 200

  /// The lines, oldest first, each with its time in UTC and its level.
  public var lines: [String]

  /// Creates a report.
  public init(lines: [String] = []) { self.lines = lines }
}
