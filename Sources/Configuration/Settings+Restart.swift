extension Settings {
  /// The keys that the service reads at its start only, with whether two settings agree in each. All others are applied by
  /// a reload.
  private static let startKeys: [(key: String, agree: @Sendable (Settings, Settings) -> Bool)] = [
    ("socket", { $0.socket == $1.socket }),
    ("backend", { $0.backend == $1.backend }),
    ("atomic", { $0.isAtomicAllowed == $1.isAtomicAllowed }),
    ("state", { $0.storage == $1.storage }),
    ("history_days", { $0.historyDays == $1.historyDays }),
    ("history_size", { $0.historyBytes == $1.historyBytes }),
    ("pictures_size", { $0.picturesBytes == $1.picturesBytes }),
  ]

  /// Finds what a reload leaves as it is.
  ///
  /// - Parameter new: The settings that were read again.
  /// - Returns: The keys of the file that differ from these settings, with which the service started, and that count
  ///   from its next start on; in the file's order.
  public func restartKeys(for new: Settings) -> [String] {
    Self.startKeys.filter { !$0.agree(self, new) }.map(\.key)
  }

  /// Words what is to be done about settings that only a restart applies.
  ///
  /// - Parameter keys: The changed keys, one at least.
  /// - Returns: A sentence with the keys and the next step.
  public static func restartReason(_ keys: [String]) -> String {
    "changed in the configuration, and not applied: \(keys.joined(separator: ", ")); restart placardd to apply them "
      + "(systemctl restart placard)"
  }
}
