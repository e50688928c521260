extension SessionModel {
  /// The maximum number of live messages.
  package static let mostMessages = 1000
  /// The maximum number of sessions, including those of unplugged monitors and those that wait for a monitor.
  package static let mostSessions = 1000
  /// The maximum number of monitors with a chosen mode or rotation.
  package static let mostChoices = 1000
  /// The maximum number of library entries.
  package static let mostEntries = 2000
  /// The maximum number of live values.
  package static let mostValues = 1000
  /// The maximum total size of all live values and of the scenes of all messages, sessions and library entries, in bytes
  /// of JSON.
  package static let mostBytes = 16 << 20

  /// Returns the limit that a change exceeds.
  ///
  /// Nothing is evicted to make room, because clients rely on what was confirmed to them. A model from an earlier
  /// version may exceed the limits; it is kept, and can only shrink.
  ///
  /// - Parameters:
  ///   - old: The model before the change.
  ///   - new: The model after the change.
  /// - Returns: `SessionModelError.full` for the first limit that the change exceeds; nil if the change is allowed.
  package static func excess(from old: SessionModel, to new: SessionModel) -> SessionModelError? {
    let bounds: [(full: SessionModelError.Full, count: (SessionModel) -> Int, most: Int)] = [
      (.messages, { $0.allMessages.count }, mostMessages), (.sessions, { $0.sessionCount }, mostSessions),
      (.choices, { $0.choiceCount }, mostChoices), (.entries, { $0.library.count }, mostEntries),
      (.values, { $0.values.count }, mostValues), (.bytes, { $0.bytes }, mostBytes),
    ]
    return bounds.first { bound in
      let count = bound.count(new)
      return count > bound.most && count > bound.count(old)
    }.map { .full($0.full) }
  }

  // Indices are counted, because an iteration would copy each profile.

  private var sessionCount: Int { allProfiles.indices.count { allProfiles[$0].session != nil } + reservations.count }

  private var choiceCount: Int { allProfiles.indices.count { !allProfiles[$0].choice.isEmpty } }

  /// The total size of all live values and of the scenes of all messages, sessions and library entries, in bytes of JSON.
  var bytes: Int {
    allMessages.indices.reduce(0) { $0 + allMessages[$1].bytes }
      + allProfiles.indices.reduce(0) { $0 + (allProfiles[$1].session?.bytes ?? 0) }
      + reservations.reduce(0) { $0 + $1.session.bytes } + library.values.reduce(0) { $0 + $1.bytes }
      + values.values.reduce(0) { $0 + $1.bytes }
  }
}
