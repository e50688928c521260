package import Control

/// The result of a check on the path from the service to the screen.
package struct Finding: Codable, Hashable, Sendable {
  /// The checks, in order of evaluation.
  ///
  /// A failure can cause failures in later checks.
  package enum Check: String, Codable, CaseIterable, Hashable, Sendable {
    /// Whether placardd runs, answers, and accepts this user.
    case service
    /// The graphics cards with connectors.
    case cards
    /// Whether the service may open the cards.
    case permission
    /// Which process is DRM master of each card.
    case master
    /// Which connectors have a monitor.
    case connectors
    /// The EDIDs of the monitors.
    case edid
    /// Which modes were set, and which were refused.
    case mode
    /// Whether a font is installed.
    case fonts
    /// The virtual terminal.
    case terminal
    /// The kernel's command line.
    case kernel
    /// The storage of the service's state.
    case storage
    /// The time zone database.
    case zones
  }

  /// The severity of a finding.
  package typealias Severity = DoctorReport.Finding.Severity

  /// The check that produced the finding.
  package var check: Check
  /// The severity.
  package var severity: Severity
  /// The machine-readable code, such as `master-held`.
  ///
  /// It is `ok` or `unseen` for findings of that severity.
  package var code: String
  /// The affected object, such as `/dev/dri/card0`, or nil for the whole machine.
  package var object: String?
  /// A sentence that names the object.
  package var text: String
  /// The suggested next step, as text, or nil if there is none.
  package var fix: String?
  /// A command that performs or starts the fix, or nil if there is none.
  package var command: String?

  /// Creates a finding from its parts.
  package init(
    _ check: Check, _ severity: Severity, _ code: String, _ object: String? = nil, _ text: String, fix: String? = nil,
    command: String? = nil
  ) {
    self.check = check
    self.severity = severity
    self.code = code
    self.object = object
    self.text = text
    self.fix = fix
    self.command = command
  }

  static func ok(_ check: Check, _ object: String? = nil, _ text: String) -> Finding {
    Finding(check, .ok, "ok", object, text)
  }

  static func unseen(
    _ check: Check, _ object: String? = nil, _ text: String, fix: String? = nil, command: String? = nil
  ) -> Finding {
    Finding(check, .unseen, "unseen", object, text, fix: fix, command: command)
  }
}

/// The results of all checks.
package struct Diagnosis: Codable, Hashable, Sendable {
  /// Whether no finding has the severity `wrong`.
  package var healthy: Bool
  /// The findings in check order.
  ///
  /// Each check has at least one.
  package var findings: [Finding]

  /// Creates a diagnosis from its parts.
  package init(healthy: Bool, findings: [Finding]) {
    self.healthy = healthy
    self.findings = findings
  }

  /// Derives the diagnosis of an report.
  package init(_ report: MachineReport) {
    findings = Finding.Check.allCases.flatMap { report.findings($0) }
    healthy = !findings.contains { $0.severity == .wrong }
  }
}

extension MachineReport {
  /// Returns the findings of one check.
  package func findings(_ check: Finding.Check) -> [Finding] {
    switch check {
    case .service: serviceFindings()
    case .cards: cardFindings()
    case .permission: permissionFindings()
    case .master: masterFindings()
    case .connectors: connectorFindings()
    case .edid: edidFindings()
    case .mode: modeFindings()
    case .fonts: fontFindings()
    case .terminal: terminalFindings()
    case .kernel: kernelFindings()
    case .storage: storageFindings()
    case .zones: zoneFindings()
    }
  }
}
