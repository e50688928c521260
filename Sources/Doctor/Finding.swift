/// What was found at one of the places where a picture can get lost.
public struct Finding: Codable, Hashable, Sendable {
  /// The places, in the order in which they are looked at: what is wrong further up may be why more is wrong below.
  public enum Check: String, Codable, CaseIterable, Hashable, Sendable {
    /// Whether placardd runs, answers, and may be asked.
    case service
    /// Graphics cards with connectors.
    case cards
    /// Whether the service may open them.
    case permission
    /// Who is DRM master of them.
    case master
    /// What is plugged in.
    case connectors
    /// What the monitors say of themselves.
    case edid
    /// Which modes were set, and which refused.
    case mode
    /// Whether there is a font.
    case fonts
    /// The virtual terminal.
    case terminal
    /// The kernel's command line.
    case kernel
    /// The disk that the service keeps its state on.
    case storage
    /// The time zones' data.
    case zones
  }

  /// How bad it is.
  public enum Mark: String, Codable, Hashable, Sendable {
    /// As it should be.
    case ok
    /// It works, but not as well as it could, or it should be known.
    case note
    /// It keeps displays dark, or the service from its work.
    case wrong
    /// It could not be looked at.
    case unseen
  }

  /// Where it was found.
  public var check: Check
  /// How bad it is.
  public var mark: Mark
  /// Its name for programs, `master-held`; `ok` where all is well, and `unseen` where nothing could be seen.
  public var code: String
  /// What it is about, `/dev/dri/card0`; nil where it is about the machine.
  public var object: String?
  /// A sentence that names the object.
  public var text: String
  /// The next step, in words; nil where there is none.
  public var fix: String?
  /// A command that does it, or begins with it; nil where there is none.
  public var command: String?

  /// A finding from its parts.
  public init(
    _ check: Check, _ mark: Mark, _ code: String, _ object: String? = nil, _ text: String, fix: String? = nil,
    command: String? = nil
  ) {
    self.check = check
    self.mark = mark
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

/// All that was found, place by place.
public struct Diagnosis: Codable, Hashable, Sendable {
  /// Whether nothing is wrong.
  public var healthy: Bool
  /// What was found, in the order of the checks; each has one finding at least.
  public var findings: [Finding]

  /// A diagnosis from its parts.
  public init(healthy: Bool, findings: [Finding]) {
    self.healthy = healthy
    self.findings = findings
  }

  /// What an examination comes to.
  public init(_ examination: Examination) {
    findings = Finding.Check.allCases.flatMap { examination.findings($0) }
    healthy = !findings.contains { $0.mark == .wrong }
  }
}

extension Examination {
  /// What was found at one place.
  public func findings(_ check: Finding.Check) -> [Finding] {
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
