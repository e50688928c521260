import Geometry
import JSON

extension SessionModel {
  /// Returns the changes from the records of one model to those of another.
  ///
  /// Only differences are returned: a new scene of one session is one record. Starting from an empty model, the changes
  /// contain everything. A monitor without stored state has no record.
  ///
  /// - Parameters:
  ///   - old: The model whose records exist.
  ///   - new: The model to write.
  /// - Returns: The changes that turn the records of `old` into the records of `new`.
  package static func changes(from old: SessionModel, to new: SessionModel) -> [RecordChange] {
    let numbers = old.last == new.last ? [] : [RecordChange.put(new.last.record)]
    let board = old.board == new.board ? [] : [RecordChange.put(BoardRecord(board: new.board).record)]
    let closed = difference(old.closed.map(StoredClosedSession.init), new.closed.map(StoredClosedSession.init))
    return numbers + board + closed + difference(old.keptProfiles, new.keptProfiles)
      + difference(old.keptSessions, new.keptSessions)
      + difference(old.allMessages, new.allMessages) + entries(from: old, to: new) + values(from: old, to: new)
  }

  private static func values(from old: SessionModel, to new: SessionModel) -> [RecordChange] {
    changedValues(from: old, to: new).sorted().compactMap { name in
      if let value = new.values[name], value.maxAge == nil { return .put(ValueRecord(value).record) }
      let wasStored = old.values[name].map { $0.maxAge == nil } ?? false
      return wasStored ? .remove(kind: ValueRecord.kind, key: name) : nil
    }
  }

  private static func entries(from old: SessionModel, to new: SessionModel) -> [RecordChange] {
    guard old.library != new.library else { return [] }
    return new.entryNames.compactMap { new.library[$0] }.filter { $0 != old.library[$0.name] }
      .map { .put(LibraryRecord($0).record) }
      + old.entryNames.filter { new.library[$0] == nil }.map { .remove(kind: LibraryRecord.kind, key: $0) }
  }

  /// The monitor profiles with stored state, without their sessions, which have separate records.
  private var keptProfiles: [MonitorProfile] {
    allProfiles.filter(hasStoredState).map { profile in
      var bare = profile
      bare.session = nil
      return bare
    }
  }

  private var keptSessions: [StoredSession] {
    allProfiles.compactMap { profile in profile.session.map { StoredSession(session: $0, profile: profile.id) } }
      + reservations.map { StoredSession(session: $0.session, display: $0.display) }
  }

  private static func difference<Part: Recorded>(_ old: [Part], _ new: [Part]) -> [RecordChange] {
    let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    let remaining = Set(new.map(\.id))
    let written = new.filter { before[$0.id] != $0 }.map { RecordChange.put($0.record) }
    return written + old.filter { !remaining.contains($0.id) }.map { .remove(kind: Part.kind, key: "\($0.id)") }
  }
}

/// A part of a model that has its own record.
protocol Recorded: Identifiable, Equatable where ID == Int {
  static var kind: String { get }
  /// The content of its record.
  var fields: RecordFields { get }
  /// Creates the part from a record with this number.
  init(id: Int, _ fields: RecordFields) throws(RecordError)
}

extension Recorded {
  var record: Record { fields.record(Self.kind, "\(id)") }
}

/// A session and its location.
struct StoredSession: Recorded {
  var session: Session
  /// The number of the monitor profile; nil for a session without a monitor.
  var profile: Int?
  /// The display that a session without a monitor waits for; nil for any display.
  var display: String?

  var id: Int { session.id }
}

extension SessionModel.LastNumbers {
  static let kind = "numbers"

  var record: Record {
    var fields = RecordFields()
    fields.set("profile", Int64(profile))
    fields.set("number", Int64(number))
    return fields.record(Self.kind, "last")
  }
}

extension MonitorProfile {
  static let kind = "profile"

  var fields: RecordFields {
    var fields = RecordFields()
    fields.set("monitor", monitor)
    fields.set("label", label)
    fields.set("place", place)
    fields.set("display", display)
    fields.set("role", role)
    fields["tags"] = .array(tags.map { .string($0) })
    fields.set("asleep", isAsleep)
    fields.set("mode", choice.mode)
    fields.set("rotation", choice.rotation.map { Int64($0.rawValue) })
    fields.set("last_seen", lastSeen)
    return fields
  }

  init(id: Int, _ fields: RecordFields) throws(RecordError) {
    self.init(
      id: id, monitor: try fields.text("monitor"), label: try fields.optionalText("label"),
      place: try fields.text("place"),
      display: try fields.optionalText("display"), role: try fields.text("role"), tags: try fields.texts("tags"),
      isAsleep: try fields.flag("asleep"), choice: try MonitorChoice(fields), session: nil,
      lastSeen: try fields.time("last_seen"))
  }
}

extension MonitorChoice {
  /// Reads the choice from a profile's record; records of daemons without choices do not contain one.
  fileprivate init(_ fields: RecordFields) throws(RecordError) {
    mode = try fields.optionalText("mode")
    rotation = try fields.optionalNumber("rotation").map { (degrees) throws(RecordError) in
      guard let rotation = Rotation(rawValue: degrees) else {
        throw RecordError(reason: "`rotation` must be 0, 90, 180 or 270")
      }
      return rotation
    }
  }
}

extension StoredSession {
  static let kind = "session"

  var fields: RecordFields {
    var fields = RecordFields()
    fields["scene"] = session.scene.document
    fields.set("tag", session.tag)
    fields["scroll"] = session.place.json
    fields.set("opened", session.opened)
    fields.set("raised", session.raised)
    fields.set("profile", profile.map(Int64.init))
    fields.set("display", display)
    return fields
  }

  init(id: Int, _ fields: RecordFields) throws(RecordError) {
    session = Session(
      id: id, scene: try fields.scene("scene"), tag: try fields.optionalText("tag").map(Name.restored(tag:)),
      place: Place(json: fields["scroll"]), opened: try fields.time("opened"), raised: try fields.time("raised"))
    profile = try fields.optionalNumber("profile")
    display = try fields.optionalText("display")
  }
}

/// The persistent form of a closed session.
struct StoredClosedSession: Recorded {
  static let kind = "closed-session"

  let closed: ClosedSession

  var id: Int { closed.id }

  init(_ closed: ClosedSession) { self.closed = closed }

  var fields: RecordFields {
    var fields = StoredSession(session: closed.session, profile: closed.profile, display: closed.display).fields
    fields.set("ended", closed.ended)
    return fields
  }

  init(id: Int, _ fields: RecordFields) throws(RecordError) {
    let kept = try StoredSession(id: id, fields)
    closed = ClosedSession(
      session: kept.session, profile: kept.profile, display: kept.display, ended: try fields.time("ended"))
  }
}

extension Message: Recorded {
  static let kind = "message"

  var fields: RecordFields {
    var fields = RecordFields()
    fields.set("name", name)
    fields["scene"] = scene.document
    fields.set("target", target.description)
    fields.set("priority", Int64(priority))
    fields.set("created", created)
    fields.set("changed", changed)
    fields.set("expires", expires)
    fields.set("needs_acknowledgement", needsAcknowledgement)
    fields.set("acknowledged", acknowledged)
    if isOwn { fields.set("own", true) }
    fields.set("profile", profile.map(Int64.init))
    return fields
  }

  init(id: Int, _ fields: RecordFields) throws(RecordError) {
    let priority = try fields.number("priority")
    guard Self.priorities.contains(priority) else {
      throw RecordError(reason: "\(SessionModelError.priority(priority))")
    }
    guard let target = Target(try fields.text("target")) else {
      throw RecordError(reason: "`target` must be all, role:, display: or tag: with a name")
    }
    self.init(
      id: id, name: try fields.optionalText("name").map { Name.restored($0) }, scene: try fields.scene("scene"),
      target: target.restored, priority: priority,
      created: try fields.time("created"), changed: try fields.time("changed"),
      expires: try fields.optionalTime("expires"), needsAcknowledgement: try fields.flag("needs_acknowledgement"),
      acknowledged: try fields.optionalTime("acknowledged"),
      isOwn: fields["own"] == nil ? false : try fields.flag("own"), profile: try fields.optionalNumber("profile"))
  }
}

extension Message.Target {
  /// The stored target, with its tag replaced if it is no longer allowed.
  fileprivate var restored: Self {
    if case .tag(let tag) = self { .tag(Name.restored(tag: tag)) } else { self }
  }
}

extension MonitorProfile: Recorded {}

extension Place {
  /// Reads a share from a number and a heading from a string; any other value is the beginning.
  fileprivate init(json: JSONValue?) {
    switch json {
    case .number(let text): self = Place.share(Double(text) ?? 0).clamped
    case .string(let heading): self = .heading(heading)
    default: self = .start
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .share(let share): .number("\(share)")
    case .heading(let heading): .string(heading)
    }
  }
}
