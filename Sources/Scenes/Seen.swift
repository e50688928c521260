/// The scene that a view is of, and what people call it.
///
/// It is the scene that was asked for, except that a finished countdown is seen as its `then`, and a mirror as what the
/// mirrored display shows.
public struct Seen: Hashable, Sendable {
  /// The scene, which is neither a mirror nor a countdown that has given way to its `then`.
  public var scene: Scene
  /// The displays in whose mirrors the scene is seen, the outermost first; empty outside of mirrors.
  public var mirrors: [String] = []

  /// A scene that is seen directly.
  public init(_ scene: Scene) { self.scene = scene }

  /// The kind of the scene, or `mirror`.
  public var kind: String { mirrors.isEmpty ? scene.kind : "mirror" }

  /// The scene in one line: `mirror of DP-1: Welcome`.
  public var summary: String { prefix + scene.summary }

  /// A banner's whole text, or the summary of any other scene, named after its mirrors like `summary`.
  public var words: String {
    guard case .banner(let text) = scene.content, mirrors.isEmpty || !text.isEmpty else { return summary }
    return prefix + text
  }

  private var prefix: String { mirrors.map { "mirror of \($0): " }.joined() }
}
