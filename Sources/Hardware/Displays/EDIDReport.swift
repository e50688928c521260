import Primitives

/// The contents of an EDID and the decision of a mode policy, for `placard edid FILE`.
///
/// Modes from an EDID alone have no kernel timing. The kernel builds its own list from the same bytes: it drops the
/// modes that the connector and the card do not support, and adds others. The daemon's choice can therefore differ.
package struct EDIDReport: Hashable, Sendable {
  /// The identity of the monitor; without vendor and product if the EDID cannot be parsed.
  package let identity: MonitorIdentity
  /// The EDID; nil if it cannot be parsed.
  package let edid: EDID?
  /// The parse error; nil if there is none.
  package let error: EDIDError?
  /// The policy that chose the mode.
  package let policy: ModePolicy
  /// The chosen mode; nil if there is no usable one.
  package let choice: ModeChoice?
  /// The reason that no mode was chosen; nil if one was.
  package let refusal: NoUsableMode?

  /// Parses an EDID and chooses a mode.
  ///
  /// Errors become part of the report.
  ///
  /// - Parameters:
  ///   - bytes: The EDID.
  ///   - policy: The policy that chooses the mode.
  package init(_ bytes: [UInt8], policy: ModePolicy = .legible) {
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

  /// The lines of the report.
  package var lines: [String] {
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
    lines.append("size: " + (edid.millimeters.map { "\($0) mm" } ?? "not given"))
    lines.append("input: " + (edid.isDigital ? edid.isHDMI ? "digital, HDMI" : "digital" : "analog"))
    return lines
  }

  private func modeLines(_ edid: EDID) -> [String] {
    let verdicts = choice?.rejected ?? refusal?.rejected ?? []
    let chosen = choice.map { "  \($0.mode)\(star($0.mode))  chosen" }
    let rest = verdicts.map { "  \($0.mode)\(star($0.mode))  \($0.reason)" }
    return ["modes (\(edid.modes.count), * preferred; the kernel computes the timings):"]
      + (chosen.map { [$0] } ?? []) + rest
  }

  private func star(_ mode: Mode) -> String { mode.isPreferred ? " *" : "" }

  private var choiceLines: [String] {
    guard let choice else { return ["\(refusal.map { "\($0)" } ?? "no usable mode")"] }
    return ["policy \(policy): \(choice.mode) at scale \(choice.scale)"] + choice.reasons.map { "  \($0)" }
  }
}
