/// The mode that a policy chose, with the reasons and the fallback modes.
package struct ModeChoice: Hashable, Sendable {
  /// A mode to try, with its scale.
  package struct Candidate: Hashable, Sendable {
    /// The mode, as it is in the list.
    package var mode: Mode
    /// The number of pixels in a logical unit, 1 or 2.
    package var scale: Int
    /// The reason for this rank, as a sentence.
    package var reason: String

    /// Creates a candidate.
    package init(mode: Mode, scale: Int, reason: String) {
      self.mode = mode
      self.scale = scale
      self.reason = reason
    }
  }

  /// A mode that was not chosen.
  package struct Rejection: Hashable, Sendable {
    /// The mode, as it is in the list.
    package var mode: Mode
    /// The reason that the mode was not chosen, as a sentence.
    package var reason: String

    /// Creates a rejection.
    package init(mode: Mode, reason: String) {
      self.mode = mode
      self.reason = reason
    }
  }

  /// The chosen mode, as it is in the list.
  package var mode: Mode
  /// The number of pixels in a logical unit, 1 or 2.
  package var scale: Int
  /// The steps of the decision as sentences, in order.
  package var reasons: [String]
  /// All other modes with the reasons against them, in list order.
  package var rejected: [Rejection]
  /// The fallback modes to try in turn if the hardware rejects the chosen mode, which is not included.
  package var ladder: [Candidate]
  /// True if the list came without an EDID: choose again when the modes change.
  package var isProvisional: Bool

  /// Creates a choice.
  package init(
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

  /// The chosen mode and the fallback modes, in the order in which to try them.
  package var candidates: [Candidate] {
    [Candidate(mode: mode, scale: scale, reason: reasons.last ?? "the choice")] + ladder
  }
}

/// The error that a list has no usable mode.
package struct NoUsableMode: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons, as sentences.
  package var reasons: [String]
  /// All modes of the list, with the reasons against them.
  package var rejected: [ModeChoice.Rejection]

  /// Creates an error.
  package init(reasons: [String], rejected: [ModeChoice.Rejection] = []) {
    self.reasons = reasons
    self.rejected = rejected
  }

  /// The message, such as `no usable mode: the monitor lists none yet`.
  package var description: String { "no usable mode: " + reasons.joined(separator: "; ") }
}
