/// What names a document.
struct DocumentName: Hashable {
  var kind: String
  var key: String
}

/// Changes that are not on the disk yet. What a later change makes needless is not there any more.
struct PendingChanges {
  /// A document as it should be, without text to be removed; when that was said, in milliseconds since 1970.
  struct Text {
    var json: String?
    var changed: Int64
  }

  private(set) var documents: [DocumentName: Text] = [:]
  /// New entries by id, ended ones among them.
  private(set) var entries: [Int64: HistoryEntry] = [:]
  /// When entries ended that are in the file, by id.
  private(set) var ends: [Int64: Int64] = [:]
  /// How many changes were too many to wait.
  private(set) var dropped = 0
  private var bytes = 0

  /// So many documents, and so many entries, may wait.
  static let most = 4096
  /// The texts of documents that wait may take so much.
  static let mostBytes = 16 << 20

  var count: Int { documents.count + entries.count + ends.count }

  /// Takes changes in their order, at a time in milliseconds since 1970.
  mutating func add(_ changes: [ArchiveChange], at now: Int64) {
    for change in changes {
      switch change {
      case .put(let kind, let key, let json):
        set(DocumentName(kind: kind, key: key), Text(json: json, changed: now))
      case .remove(let kind, let key): set(DocumentName(kind: kind, key: key), Text(json: nil, changed: now))
      case .began(let entry): begin(entry)
      case .ended(let id, let time): end(id, at: time)
      }
    }
  }

  /// Takes documents of a damaged file, to be stored again unless there is something newer.
  mutating func restore(_ saved: [StoredDocument]) {
    for document in saved {
      let name = DocumentName(kind: document.kind, key: document.key)
      if documents[name] == nil { set(name, Text(json: document.json, changed: document.changed)) }
    }
  }

  private mutating func set(_ name: DocumentName, _ text: Text) {
    let old = documents[name]
    let newBytes = bytes - size(old) + size(text)
    guard text.json == nil || newBytes <= Self.mostBytes, old != nil || documents.count < Self.most else {
      dropped += 1
      return
    }
    documents[name] = text
    bytes = newBytes
  }

  private func size(_ text: Text?) -> Int { text?.json?.utf8.count ?? 0 }

  private mutating func begin(_ entry: HistoryEntry) {
    if entries.count >= Self.most {
      let oldest = entries.keys.sorted().prefix(Self.most / 8)
      for id in oldest { entries[id] = nil }
      dropped += oldest.count
    }
    entries[entry.id] = entry
  }

  private mutating func end(_ id: Int64, at time: Int64) {
    if entries[id] != nil {
      entries[id]?.ended = time
    } else if ends[id] != nil || ends.count < Self.most {
      ends[id] = time
    } else {
      dropped += 1
    }
  }

  /// The documents of a file as they are with these changes, by kind and key.
  func applied(to stored: [StoredDocument]) -> [StoredDocument] {
    guard !documents.isEmpty else { return stored }
    let kept = stored.filter { documents[DocumentName(kind: $0.kind, key: $0.key)] == nil }
    let new = documents.compactMap { name, text in
      text.json.map { StoredDocument(kind: name.kind, key: name.key, json: $0, changed: text.changed) }
    }
    return (kept + new).sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
  }

  /// The history of a file as it is with these changes, newest first.
  func applied(to stored: [HistoryEntry], for query: HistoryQuery) -> [HistoryEntry] {
    guard !entries.isEmpty || !ends.isEmpty else { return stored }
    let ended = stored.map { entry in
      var entry = entry
      if let time = ends[entry.id] { (entry.ended, entry.isExact) = (time, true) }
      return entry
    }
    let all = (ended + entries.values).filter(query.matches).sorted { $0.id > $1.id }
    return Array(all.prefix(max(query.limit, 0)))
  }
}
