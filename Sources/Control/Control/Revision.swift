public import JSON
import Primitives

/// The identifier of a document's state, which prevents concurrent edits from overwriting each other.
public enum Revision {
  /// Returns the revision of a document, a 64-bit FNV-1a hash in hexadecimal.
  ///
  /// Equal documents have equal revisions, even after a restart. The hash is not collision-resistant against an
  /// attacker.
  ///
  /// - Parameter document: The document.
  /// - Returns: 16 hexadecimal digits.
  public static func of(_ document: JSONValue) -> String {
    Hex.digits(FNV1a.hash((try? JSON.encode(document)) ?? []), 16)
  }
}

/// A new scene that replaces an existing one.
public struct SceneEdit: Hashable, Sendable {
  /// The scene document.
  public var scene: JSONValue
  /// The revision that the edit is based on; nil for any.
  ///
  /// The edit is refused with `changed` if the current revision is another one.
  public var expecting: String?

  /// Creates an edit.
  public init(scene: JSONValue, expecting: String? = nil) {
    self.scene = scene
    self.expecting = expecting
  }
}
