import Control
import JSON
import Scenes

/// Backups of the session model.
extension ServiceState {
  /// Returns a backup of the session model.
  func backup(images: [ImageReport]) -> Backup {
    let records = SessionModel.changes(from: SessionModel(), to: store).compactMap { change -> Backup.Record? in
      guard case .put(let record) = change else { return nil }
      return Backup.Record(kind: record.kind, key: record.key, json: record.json)
    }
    return Backup(
      version: facts.version, host: facts.host, made: Timestamp(milliseconds: now), records: records,
      images: images.map { Backup.Image(name: $0.name, path: $0.path) })
  }

  /// Returns the session model of a backup, with the paths of this machine's images.
  ///
  /// - Parameters:
  ///   - backup: The backup.
  ///   - images: The images of this machine.
  /// - Throws: `ControlError` of kind `invalid` if a record cannot be read.
  /// - Returns: The model without attached monitors, and the report of a trial.
  func model(
    of backup: Backup, images: [ImageReport]
  ) throws(ControlError) -> (model: SessionModel, report: RestoreReport) {
    let own = Dictionary(images.map { ($0.name, $0.path) }) { first, _ in first }
    let paths = Dictionary(backup.images.compactMap { image in own[image.name].map { (image.path, $0) } }) { $1 }
    let records = backup.records.map { record in
      Record(kind: record.kind, key: record.key, json: Self.moved(record.json, paths))
    }
    let (model, _, warnings) = SessionModel.restored(from: records, at: now)
    if let warning = warnings.first {
      throw ControlError(.invalid, "the backup is damaged: \(warning); use another copy")
    }
    let report = RestoreReport(
      restored: false, entries: model.library.count, sessions: model.sessions.count, messages: model.messages.count,
      monitors: model.profiles.count,
      missingImages: backup.images.map(\.name).filter { own[$0] == nil })
    return (model, report)
  }

  /// Returns JSON in which the paths of images are replaced. What is not JSON is returned as it is.
  private static func moved(_ json: String, _ paths: [String: String]) -> String {
    guard !paths.isEmpty, let value = try? JSONValue(parsing: json.utf8) else { return json }
    return String(decoding: moved(value, paths).encoded, as: UTF8.self)
  }

  private static func moved(_ value: JSONValue, _ paths: [String: String]) -> JSONValue {
    switch value {
    case .string(let text): .string(paths[text] ?? text)
    case .array(let elements): .array(elements.map { moved($0, paths) })
    case .object(let members): .object(members.mapValues { moved($0, paths) })
    default: value
    }
  }
}
