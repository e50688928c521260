extension Settings {
  /// The keys that are read only at startup, with an equality test for each. A reload applies all others.
  private static let startKeys: [(key: String, agree: @Sendable (Settings, Settings) -> Bool)] = [
    ("socket", { $0.socket == $1.socket }),
    ("backend", { $0.backend == $1.backend }),
    ("atomic", { $0.isAtomicAllowed == $1.isAtomicAllowed }),
    ("state", { $0.storage == $1.storage }),
    ("history_days", { $0.historyDays == $1.historyDays }),
    ("history_size", { $0.historyBytes == $1.historyBytes }),
    ("images_size", { $0.imagesBytes == $1.imagesBytes }),
  ]

  /// Returns the keys that a reload cannot apply.
  ///
  /// - Parameter new: The settings that were read again.
  /// - Returns: The keys that differ from these settings, with which the daemon started, in a fixed order. They take
  ///   effect at its next start.
  package func restartKeys(for new: Settings) -> [String] {
    Self.startKeys.filter { !$0.agree(self, new) }.map(\.key)
  }

  /// Returns a message about settings that only a restart applies.
  ///
  /// - Parameter keys: The changed keys, at least one.
  /// - Returns: A sentence with the keys and the next step.
  package static func restartReason(_ keys: [String]) -> String {
    "changed in the configuration, but not applied: \(keys.joined(separator: ", ")); restart placardd to apply them "
      + "(systemctl restart placard)"
  }
}
