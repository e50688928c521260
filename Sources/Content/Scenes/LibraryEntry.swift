import JSON
import Ordering

/// A scene with a name, which other scenes, sessions, messages and settings refer to.
package struct LibraryEntry: Hashable, Sendable {
  /// The name, which is unique.
  package var name: String
  /// A title for people; nil for none.
  package var title: String?
  /// Words to find it by.
  package var tags: [String]
  /// The scene.
  package var scene: Scene { didSet { if scene != oldValue { bytes = scene.document.encoded.count } } }
  /// The size of the scene in bytes of JSON.
  private(set) var bytes: Int
  /// The time of the last change, in milliseconds since 1970.
  package var changed: Int64

  /// Creates an entry from its parts.
  package init(_ name: String, _ scene: Scene, title: String? = nil, tags: [String] = [], changed: Int64 = 0) {
    self.name = name
    self.scene = scene
    bytes = scene.document.encoded.count
    self.title = title
    self.tags = tags
    self.changed = changed
  }
}

extension Scene {
  /// The names of the library entries that the scene and the scenes inside it refer to.
  package var entries: Set<String> {
    Set(
      tree.flatMap { scene -> [String] in
        switch scene.content {
        case .entry(let name): [name]
        case .schedule(let schedule): schedule.rules.compactMap(\.calendar)
        default: []
        }
      })
  }

  /// The names of events inside the scene, each of which shows the library entry with this name, if there is one.
  fileprivate var eventNames: Set<String> {
    tree.reduce(into: []) { if case .calendar(let calendar) = $1.content { $0.formUnion(calendar.names) } }
  }

  /// Returns the scene with references to one library entry replaced by references to another one.
  func renaming(_ old: String, to new: String) -> Scene {
    guard entries.contains(old) else { return self }
    return mapped { scene in
      switch scene.content {
      case .entry(old): return Scene(.entry(new), style: scene.style)
      case .schedule(var schedule):
        for index in schedule.rules.indices where schedule.rules[index].calendar == old {
          schedule.rules[index].calendar = new
        }
        return Scene(.schedule(schedule), style: scene.style)
      default: return scene
      }
    }
  }
}

extension SessionModel {
  /// The names of the library entries in natural order.
  package var entryNames: [String] { library.keys.naturallySorted() }

  /// Returns the names of the library entries that a scene refers to, directly or through other entries.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - withEvents: Whether to include existing entries with the names of events.
  /// - Returns: The names.
  package func entries(of scene: Scene, withEvents: Bool = true) -> Set<String> {
    func direct(_ scene: Scene) -> Set<String> {
      withEvents ? scene.entries.union(scene.eventNames.filter { library[$0] != nil }) : scene.entries
    }
    var (open, names) = (direct(scene), Set<String>())
    while let name = open.popFirst() {
      if names.insert(name).inserted, let entry = library[name] { open.formUnion(direct(entry.scene)) }
    }
    return names
  }

  /// Returns all scenes that a scene can show: those inside it, and those of the library entries that it refers to.
  package func reachable(from scene: Scene) -> [Scene] {
    scene.tree + entries(of: scene).compactMap { library[$0] }.flatMap(\.scene.tree)
  }

  /// Returns the names of the library entries that differ between two models.
  package static func changedEntries(from old: SessionModel, to new: SessionModel) -> Set<String> {
    guard old.library != new.library else { return [] }
    return Set(old.library.keys).union(new.library.keys).filter { old.library[$0] != new.library[$0] }
  }

  /// Adds a library entry, or replaces the one with its name.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.noEntry` or `.entryLoop`; the model is unchanged then.
  package mutating func setEntry(_ entry: LibraryEntry, at now: Int64) throws(SessionModelError) {
    try mustHaveEntries(of: entry.scene, besides: entry.name)
    if entries(of: entry.scene, withEvents: false).contains(entry.name) { throw .entryLoop(entry.name) }
    var entry = entry
    entry.changed = now
    library[entry.name] = entry
  }

  /// Removes a library entry.
  ///
  /// - Parameter name: The entry's name.
  /// - Throws: `SessionModelError.noEntry`, or `.entryInUse` if a scene of the model refers to it.
  package mutating func removeEntry(_ name: String) throws(SessionModelError) {
    guard library[name] != nil else { throw .noEntry(name) }
    let uses = uses[name] ?? []
    guard uses.isEmpty else { throw .entryInUse(name, uses) }
    library[name] = nil
  }

  /// Renames a library entry, and the references to it in all scenes of the model.
  ///
  /// - Parameters:
  ///   - old: The entry's name.
  ///   - new: Its new name.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.noEntry`, `.doubledEntry` if another entry has the new name, or `.entryNamesEvent` if an
  ///   event has the old one, because events are not changed.
  package mutating func renameEntry(_ old: String, to new: String, at now: Int64) throws(SessionModelError) {
    guard var entry = library[old] else { throw .noEntry(old) }
    guard old != new else { return }
    guard library[new] == nil else { throw .doubledEntry(new) }
    if let place = eventUses[old]?.first { throw .entryNamesEvent(old, place) }
    library[old] = nil
    entry.name = new
    entry.changed = now
    library[new] = entry
    library = library.mapValues { entry in
      var entry = entry
      entry.scene = entry.scene.renaming(old, to: new)
      return entry
    }
    for index in allProfiles.indices {
      if let scene = allProfiles[index].session?.scene {
        allProfiles[index].session?.scene = scene.renaming(old, to: new)
      }
    }
    for index in reservations.indices {
      reservations[index].session.scene = reservations[index].session.scene.renaming(old, to: new)
    }
    for index in closed.indices {
      closed[index].session.scene = closed[index].session.scene.renaming(old, to: new)
    }
    for index in allMessages.indices { allMessages[index].scene = allMessages[index].scene.renaming(old, to: new) }
  }

  /// The places that refer to library entries directly, as words such as `the library entry week`, by entry.
  package var uses: [String: [String]] {
    var uses: [String: [String]] = [:]
    for (scene, place) in places { for name in scene.entries { uses[name, default: []].append(place) } }
    return uses.merging(eventUses) { $0 + $1 }
  }

  /// The places with events that have the names of library entries, by entry.
  private var eventUses: [String: [String]] {
    var uses: [String: [String]] = [:]
    for (scene, place) in places {
      for name in scene.eventNames where library[name] != nil {
        uses[name, default: []].append("an event of \(place)")
      }
    }
    return uses
  }

  /// The scenes of the model, each with the place that refers to it, as words.
  private var places: [(scene: Scene, place: String)] {
    entryNames.compactMap { name in library[name].map { ($0.scene, "the library entry \(name)") } }
      + sessions.map { ($0.scene, "session \($0.id)") }
      + allMessages.map { ($0.scene, "message \($0.name ?? "\($0.id)")") }
  }

  /// Rejects a scene that refers to library entries that do not exist, apart from one that is about to.
  private func mustHaveEntries(of scene: Scene, besides other: String) throws(SessionModelError) {
    if let missing = scene.entries.filter({ library[$0] == nil && $0 != other }).min() { throw .noEntry(missing) }
  }
}

/// The persistent record of a library entry.
struct LibraryRecord {
  static let kind = "entry"

  let entry: LibraryEntry

  var record: Record {
    var fields = RecordFields()
    fields["scene"] = entry.scene.document
    fields.set("title", entry.title)
    fields["tags"] = .array(entry.tags.map { .string($0) })
    fields.set("changed", entry.changed)
    return fields.record(Self.kind, entry.name)
  }

  init(_ entry: LibraryEntry) { self.entry = entry }

  init(name: String, _ fields: RecordFields) throws(RecordError) {
    entry = LibraryEntry(
      name, try fields.scene("scene"), title: try fields.optionalText("title"), tags: try fields.texts("tags"),
      changed: try fields.time("changed"))
  }
}
