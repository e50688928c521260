/// What an EDID says and what a policy makes of it, for people and programs: `placard edid FILE`.
///
/// Modes that come from an EDID alone have no kernel timing. The kernel builds its own list from the same bytes, leaves
/// out what connector and card cannot do, and adds modes of its own, so a real choice can differ.
public struct EDIDReport: Hashable, Sendable {
  /// Who the monitor is; without vendor and product where the EDID cannot be read.
  public let identity: MonitorIdentity
  /// The EDID; nil where it cannot be read.
  public let edid: EDID?
  /// Why it cannot be read; nil where it can.
  public let error: EDIDError?
  /// The policy that was asked.
  public let policy: ModePolicy
  /// What the policy picks; nil where there is nothing to pick.
  public let choice: ModeChoice?
  /// Why nothing can be picked; nil where something is.
  public let refusal: NoUsableMode?

  /// Reads the bytes and asks the policy. Never fails: what is wrong is in the report.
  public init(_ bytes: [UInt8], policy: ModePolicy = .legible) {
    self.policy = policy
    identity = MonitorIdentity(edid: bytes, connector: "none")
    do {
      edid = try EDID(bytes)
      error = nil
    } catch {
      edid = nil
      self.error = error
    }
    do {
      choice = try policy.choose(from: edid?.modes ?? [], isEDIDPresent: edid != nil)
      refusal = nil
    } catch {
      choice = nil
      refusal = error
    }
  }

  /// The whole report, a line each.
  public var lines: [String] {
    guard let edid else {
      return ["identity: \(identity.text)", "error: \(error.map { "\($0)" } ?? "unreadable")"]
    }
    return identityLines(edid) + edid.notes.map { "note: \($0)" } + modeLines(edid) + choiceLines
  }

  private func identityLines(_ edid: EDID) -> [String] {
    var lines = ["monitor: \(identity.label)", "identity: \(identity.text)"]
    lines.append("vendor \(edid.vendor), product \(Hex.digits(UInt64(edid.product), 4)), EDID \(edid.version)")
    if let name = identity.name { lines.append("name: \(name)") }
    if let serial = identity.serial { lines.append("serial: \(serial)") }
    if let serialString = identity.serialString { lines.append("serial text: \(serialString)") }
    let week = edid.made.week.map { "week \($0) of " } ?? ""
    lines.append((edid.made.isModelYear ? "model year: " : "made: ") + week + "\(edid.made.year)")
    lines.append("size: " + (edid.millimetres.map { "\($0) mm" } ?? "not given"))
    lines.append("input: " + (edid.isDigital ? edid.isHDMI ? "digital, HDMI" : "digital" : "analog"))
    return lines
  }

  private func modeLines(_ edid: EDID) -> [String] {
    let verdicts = choice?.rejected ?? refusal?.rejected ?? []
    let chosen = choice.map { "  \($0.mode)\(star($0.mode))  chosen" }
    let rest = verdicts.map { "  \($0.mode)\(star($0.mode))  \($0.reason)" }
    return ["modes (\(edid.modes.count), * preferred; described only, the kernel makes the timings):"]
      + (chosen.map { [$0] } ?? []) + rest
  }

  private func star(_ mode: Mode) -> String { mode.isPreferred ? " *" : "" }

  private var choiceLines: [String] {
    guard let choice else { return ["\(refusal.map { "\($0)" } ?? "no usable mode")"] }
    return ["policy \(policy): \(choice.mode) at scale \(choice.scale)"] + choice.reasons.map { "  \($0)" }
  }
}
