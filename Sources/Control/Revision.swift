public import JSON

/// Tells one state of a document from another, so that two people who edit do not overwrite each other unawares.
public enum Revision {
  /// The revision of a document: equal documents have equal ones, also after a restart (FNV-1a, 64 bits, in hex).
  ///
  /// It tells edits of people apart and is no proof against someone who looks for two documents of one revision.
  public static func of(_ document: JSONValue) -> String {
    let bytes = (try? JSON.encode(document)) ?? []
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Another scene for something that has one already.
public struct SceneEdit: Hashable, Sendable {
  /// The scene's document.
  public var scene: JSONValue
  /// The revision that it was made from: refused with `changed` where there is another by now; nil takes any.
  public var expecting: String?

  /// An edit from its parts.
  public init(scene: JSONValue, expecting: String? = nil) {
    self.scene = scene
    self.expecting = expecting
  }
}
