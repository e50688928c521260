public import JSON

/// Everything that the service stores for its scenes: library, board, monitors, sessions and messages.
public struct Backup: Codable, Hashable, Sendable {
  /// One stored object.
  public struct Record: Codable, Hashable, Sendable {
    /// The kind of the object, such as `session`.
    public var kind: String
    /// The key, which is unique within the kind.
    public var key: String
    /// The content, as JSON.
    public var json: String

    /// Creates a record from its parts.
    public init(kind: String, key: String, json: String) {
      self.kind = kind
      self.key = key
      self.json = json
    }
  }

  /// An uploaded image, whose file is not part of the backup.
  public struct Image: Codable, Hashable, Sendable {
    /// The name of the image.
    public var name: String
    /// The path of its file on the machine of the backup.
    public var path: String

    /// Creates an image from its parts.
    public init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// The format of this version of Placard.
  public static let currentFormat = 1

  /// The format.
  public var format: Int
  /// The version of the service that made the backup.
  public var version: String
  /// The host's name; nil if it has none.
  public var host: String?
  /// The time of the backup.
  public var made: Timestamp
  /// The objects.
  public var records: [Record]
  /// The uploaded images.
  public var images: [Image]
  /// The checksum of `records` and `images`.
  public var checksum: String

  /// Creates a backup in the current format, with its checksum.
  public init(version: String, host: String?, made: Timestamp, records: [Record], images: [Image]) {
    format = Self.currentFormat
    self.version = version
    self.host = host
    self.made = made
    self.records = records
    self.images = images
    checksum = ""
    checksum = content
  }

  /// The checksum of the current content.
  public var content: String {
    let records = records.map { JSONValue.array([.string($0.kind), .string($0.key), .string($0.json)]) }
    let images = images.map { JSONValue.array([.string($0.name), .string($0.path)]) }
    return Revision.of(.array([.array(records), .array(images)]))
  }

  /// Reads a backup.
  ///
  /// - Parameter document: The document that a service made.
  /// - Throws: `ControlError` of kind `invalid` with the reason, if the document has a newer format, is not a backup or
  ///   is damaged.
  public init(reading document: JSONValue) throws(ControlError) {
    guard let format = document["format"]?.integer, document["records"] != nil else {
      throw ControlError(.invalid, "this is not a backup of Placard: it has no `format` or no `records`")
    }
    guard format <= Self.currentFormat else {
      let version = document["version"]?.text ?? "unknown"
      throw ControlError(
        .invalid,
        "the backup has format \(format) of Placard \(version), but this service reads format \(Self.currentFormat): "
          + "update Placard on this machine first")
    }
    guard case .object(let members) = document else { throw ControlError(.invalid, "this is not a backup") }
    try Self.interface.check(members)
    guard let backup = try? JSON.decode(Backup.self, from: document.encoded) else {
      throw ControlError(.invalid, "the backup is damaged: its records cannot be read; use another copy")
    }
    guard backup.checksum == backup.content else {
      throw ControlError(
        .invalid, "the backup is damaged: its checksum is not that of its content; use another copy")
    }
    self = backup
  }
}

extension Backup: InterfaceObject {
  package static let interface = Interface.request(
    "Backup", noun: "A backup", "Everything that the service stores for its scenes.",
    [
      field("format", \.format, "The format.", .example(1)),
      field("version", \.version, "The version of the service that made the backup.", .example("0.1.0")),
      field("host", \.host, "The host's name."),
      field("made", \.made, "The time of the backup."),
      field("records", \.records, "The library, the board, stored values, monitors, sessions and messages."),
      field("images", \.images, "The uploaded images, whose files are not part of the backup."),
      field("checksum", \.checksum, "The checksum of the records and images.", .example("9ae16a3b2f90404f")),
    ])
}

extension Backup.Record: InterfaceObject {
  package static let interface = Interface.part(
    "A stored object of a backup.",
    [
      field("kind", \.kind, "The kind of the object.", .example("session")),
      field("key", \.key, "The key, which is unique within the kind."),
      field("json", \.json, "The content, as JSON."),
    ])
}

extension Backup.Image: InterfaceObject {
  package static let interface = Interface.part(
    "An uploaded image of a backup.",
    [
      field("name", \.name, "The name of the image.", .example("9f86d081884c7d65.png")),
      field("path", \.path, "The path of its file on the machine of the backup."),
    ])
}

/// The result of restoring a backup, or of a trial.
public struct RestoreReport: Codable, Hashable, Sendable {
  /// Whether the backup was restored; false after a trial.
  public var restored: Bool
  /// The number of library entries.
  public var entries: Int
  /// The number of sessions.
  public var sessions: Int
  /// The number of messages.
  public var messages: Int
  /// The number of known monitors.
  public var monitors: Int
  /// The names of images in the backup that this machine does not have.
  public var missingImages: [String]

  /// Creates a report.
  public init(
    restored: Bool, entries: Int, sessions: Int, messages: Int, monitors: Int, missingImages: [String] = []
  ) {
    self.restored = restored
    self.entries = entries
    self.sessions = sessions
    self.messages = messages
    self.monitors = monitors
    self.missingImages = missingImages
  }
}

extension RestoreReport: InterfaceObject {
  package static let interface = Interface.report(
    "RestoreReport", "The result of restoring a backup, or of a trial.",
    [
      field("restored", \.restored, "Whether the backup was restored; false after a trial."),
      field("entries", \.entries, "The number of library entries."),
      field("sessions", \.sessions, "The number of sessions."),
      field("messages", \.messages, "The number of messages."),
      field("monitors", \.monitors, "The number of known monitors."),
      field("missingImages", \.missingImages, "The names of images in the backup that this machine does not have."),
    ])
}
