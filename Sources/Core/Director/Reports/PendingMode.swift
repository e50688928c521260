import Scenes

/// A mode or rotation that was chosen for a monitor and is not confirmed yet. Without confirmation, it is dropped and
/// the previous one is restored.
struct PendingMode {
  /// The pending choice, which overrides the stored one.
  var choice: MonitorChoice
  /// The time at which it is reverted, in milliseconds since 1970; nil while it is being applied.
  var until: Int64?

  /// The time in which it can be confirmed, in milliseconds.
  static let length: Int64 = 15_000
}
