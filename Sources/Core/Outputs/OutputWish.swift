package import Displays

/// The state that an output should be in: a pure function of sessions, settings, the pending mode and host suspend.
///
/// Whatever changes, the wishes of all outputs are computed anew, and the machine acts on the difference.
package struct OutputWish: Hashable, Sendable {
  /// The policy that chooses the mode.
  package var policy: ModePolicy
  /// The reason to keep the output asleep, as a sentence; nil while it is to be lit.
  package var sleepReason: String?
  /// The number of the content, which increases with each change of what is to be seen.
  package var content: Int

  /// Creates a wish.
  package init(policy: ModePolicy, sleepReason: String? = nil, content: Int = 0) {
    self.policy = policy
    self.sleepReason = sleepReason
    self.content = content
  }
}
