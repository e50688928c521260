/// The key of a document.
struct DocumentName: Hashable {
  var kind: String
  var key: String
}

/// The changes not yet on disk, without those that a later change made obsolete.
struct PendingChanges {
  /// The new content of a document (nil to remove it), and the time of the change in milliseconds since 1970.
  struct Text {
    var json: String?
    var changed: Int64
  }

  private(set) var documents: [DocumentName: Text] = [:]
  /// New entries by ID, including ended ones.
  private(set) var entries: [Int64: HistoryEntry] = [:]
  /// The end times of entries in the file, by ID.
  private(set) var ends: [Int64: Int64] = [:]
  /// The number of changes discarded because the limits were reached.
  private(set) var dropped = 0
  private var bytes = 0

  /// The maximum number of pending documents, and of pending entries.
  static let most = 4096
  /// The maximum total size of pending documents, in bytes.
  static let mostBytes = 16 << 20

  var count: Int { documents.count + entries.count + ends.count }

  /// Adds changes in order, at a time in milliseconds since 1970.
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

  /// Adds the documents of a damaged file, to be stored again unless a newer change is pending.
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

  /// Returns the documents of a file with these changes applied, by kind and key.
  func applied(to stored: [StoredDocument]) -> [StoredDocument] {
    guard !documents.isEmpty else { return stored }
    let kept = stored.filter { documents[DocumentName(kind: $0.kind, key: $0.key)] == nil }
    let new = documents.compactMap { name, text in
      text.json.map { StoredDocument(kind: name.kind, key: name.key, json: $0, changed: text.changed) }
    }
    return (kept + new).sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
  }

  /// Returns the history of a file with these changes applied, newest first.
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
