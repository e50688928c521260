public import JSON

/// A library entry: a scene with a name.
public struct LibraryReport: Codable, Hashable, Sendable {
  /// The entry's name.
  public var name: String
  /// The title for people; nil for none.
  public var title: String?
  /// The words to find it by.
  public var tags: [String]
  /// The kind of the scene.
  public var kind: String
  /// The scene in one line.
  public var summary: String
  /// The scene document; nil in lists.
  public var scene: JSONValue?
  /// The revision of the entry, which changes with its scene, title and tags.
  public var revision: String
  /// The places that refer to the entry, as words.
  public var uses: [String]
  /// The time of the last change.
  public var changed: Timestamp
  /// Mistakes that do not prevent the entry from being shown, as sentences; always empty in lists.
  public var warnings: [String]

  /// Creates a report.
  public init(
    name: String, title: String? = nil, tags: [String] = [], kind: String, summary: String, scene: JSONValue? = nil,
    revision: String, uses: [String] = [], changed: Timestamp, warnings: [String] = []
  ) {
    self.name = name
    self.title = title
    self.tags = tags
    self.kind = kind
    self.summary = summary
    self.scene = scene
    self.revision = revision
    self.uses = uses
    self.changed = changed
    self.warnings = warnings
  }
}

extension LibraryReport: InterfaceObject {
  package static let interface = Interface.report(
    "LibraryReport", "A library entry: a scene with a name.",
    [
      field("name", \.name, "The entry's name.", .example("menu")),
      field("title", \.title, "The title for people.", .example("Menu of the day")),
      field("tags", \.tags, "The words to find it by."),
      field("kind", \.kind, "The kind of the scene.", .example("markdown")),
      field("summary", \.summary, "The scene in one line."),
      field("scene", \.scene, "The scene document; absent in lists."),
      field(
        "revision", \.revision, "The revision of the entry, which is its entity tag.", .example("9ae16a3b2f90404f")),
      field("uses", \.uses, "The places that refer to the entry."),
      field("changed", \.changed, "The time of the last change."),
      field(
        "warnings", \.warnings, "Mistakes that do not prevent the entry from being shown; always empty in lists."),
    ])
}

/// A request to add or replace a library entry.
public struct LibraryRequest: Codable, Hashable, Sendable {
  /// The scene document.
  public var scene: JSONValue
  /// The title for people; nil for none.
  public var title: String?
  /// The words to find it by; nil for none.
  public var tags: [String]?

  /// Creates a request.
  public init(scene: JSONValue, title: String? = nil, tags: [String]? = nil) {
    self.scene = scene
    self.title = title
    self.tags = tags
  }
}

extension LibraryRequest: InterfaceObject {
  package static let interface = Interface.request(
    "LibraryRequest", noun: "A library entry", "A library entry to add or to replace.",
    [
      field("scene", \.scene, "The scene document.", .scene),
      field("title", \.title, "The title for people.", .notEmpty, .example("Menu of the day")),
      field("tags", \.tags, "The words to find it by, at most 20."),
    ])
}

/// A request to rename a library entry.
public struct RenameRequest: Codable, Hashable, Sendable {
  /// The new name.
  public var name: String

  /// Creates a request.
  public init(name: String) { self.name = name }
}

extension RenameRequest: InterfaceObject {
  package static let interface = Interface.request(
    "RenameRequest", noun: "A request to rename", "A request to rename a library entry.",
    [field("name", \.name, "The new name.", .name)])
}
