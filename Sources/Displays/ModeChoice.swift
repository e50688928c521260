/// The mode that a policy picked, and why; what to try when the hardware refuses it.
public struct ModeChoice: Hashable, Sendable {
  /// A mode to try, with the scale that belongs to it.
  public struct Candidate: Hashable, Sendable {
    /// The very mode of the list.
    public var mode: Mode
    /// Pixels in a logical unit, 1 or 2.
    public var scale: Int
    /// Why it stands where it stands, in a sentence.
    public var reason: String

    /// A candidate from its parts.
    public init(mode: Mode, scale: Int, reason: String) {
      self.mode = mode
      self.scale = scale
      self.reason = reason
    }
  }

  /// A mode that was looked at and not taken.
  public struct Rejection: Hashable, Sendable {
    /// The very mode of the list.
    public var mode: Mode
    /// What speaks against it, in a sentence.
    public var reason: String

    /// A rejection from its parts.
    public init(mode: Mode, reason: String) {
      self.mode = mode
      self.reason = reason
    }
  }

  /// The very mode of the list.
  public var mode: Mode
  /// Pixels in a logical unit, 1 or 2.
  public var scale: Int
  /// The steps that led here, a sentence each, in order.
  public var reasons: [String]
  /// Each other mode of the list, with what spoke against it, in the list's order.
  public var rejected: [Rejection]
  /// What to try in turn when the hardware refuses the mode; the mode itself is not in it.
  public var ladder: [Candidate]
  /// The list came without an EDID: pick again when the modes change.
  public var isProvisional: Bool

  /// A choice from its parts.
  public init(
    mode: Mode, scale: Int, reasons: [String], rejected: [Rejection] = [], ladder: [Candidate] = [],
    isProvisional: Bool = false
  ) {
    self.mode = mode
    self.scale = scale
    self.reasons = reasons
    self.rejected = rejected
    self.ladder = ladder
    self.isProvisional = isProvisional
  }

  /// The choice and then the ladder: everything there is to try, in order.
  public var candidates: [Candidate] {
    [Candidate(mode: mode, scale: scale, reason: reasons.last ?? "the choice")] + ladder
  }
}

/// A list has no mode that can be used.
public struct NoUsableMode: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found, a sentence each.
  public var reasons: [String]
  /// Each mode of the list, with what speaks against it.
  public var rejected: [ModeChoice.Rejection]

  /// A refusal from its parts.
  public init(reasons: [String], rejected: [ModeChoice.Rejection] = []) {
    self.reasons = reasons
    self.rejected = rejected
  }

  /// `no usable mode: the monitor lists none yet`.
  public var description: String { "no usable mode: " + reasons.joined(separator: "; ") }
}
