import Control
import Director
import JSON
import Scenes
import Synchronization

/// A mistake that is planted in the service, to see that the simulation finds it.
package enum Mistake: String, CaseIterable, Sendable {
  /// A change is acknowledged before it is on the disk.
  case acknowledgeEarly
  /// Two sessions change monitors when they are restored.
  case swapSessions
  /// A write is forgotten now and then.
  case forgetWrites
  /// A flip is reported with another time than that of its vertical blank.
  case wrongFlipTime
}

/// A persistence with a planted mistake.
final class MistakenPersistence: Persistence {
  private let base: any Persistence
  private let mistake: Mistake
  private let writes = Mutex(0)

  init(_ base: any Persistence, _ mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func load() async -> [Record]? {
    let loaded = await base.load()
    guard var records = loaded, mistake == .swapSessions else { return loaded }
    let sessions = records.indices.filter { records[$0].kind == "session" }
    guard sessions.count >= 2 else { return records }
    let (first, second) = (sessions[0], sessions[1])
    guard let one = Self.profile(of: records[first]), let other = Self.profile(of: records[second]) else {
      return records
    }
    records[first].json = Self.set(profile: other, in: records[first].json)
    records[second].json = Self.set(profile: one, in: records[second].json)
    return records
  }

  func write(_ changes: [RecordChange]) {
    let count = writes.withLock { writes in
      writes += 1
      return writes
    }
    if mistake == .forgetWrites, count.isMultiple(of: 5) { return }
    base.write(changes)
  }

  func note(_ step: HistoryChange) { base.note(step) }

  func settled() async { if mistake != .acknowledgeEarly { await base.settled() } }

  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { try await base.history(query) }

  func summary() async -> PersistenceSummary { await base.summary() }

  private static func profile(of record: Record) -> JSONValue? {
    (try? JSONValue(parsing: Array(record.json.utf8)))?["profile"]
  }

  private static func set(profile: JSONValue, in json: String) -> String {
    guard case .object(var fields)? = try? JSONValue(parsing: Array(json.utf8)) else { return json }
    fields["profile"] = profile
    return String(decoding: JSONValue.object(fields).encoded, as: UTF8.self)
  }
}
