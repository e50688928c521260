/// The scene that a view is made from, and its readable name.
///
/// It is the requested scene, except that a finished countdown is replaced by its `then`, a mirror by the scene of the
/// mirrored display, and a library entry, a playlist or a schedule by the scene that it shows now.
package struct ShownScene: Hashable, Sendable {
  /// The scene, which is neither a mirror nor a countdown that has been replaced by its `then`.
  package var scene: Scene
  /// The displays that mirror the scene, outermost first; empty outside of mirrors.
  package var mirrors: [String] = []
  /// The library entries, playlists and schedules that led to the scene, outermost first.
  package var sources: [SceneSource] = []

  /// Creates a value for a scene that is shown without a mirror.
  package init(_ scene: Scene) { self.scene = scene }

  /// The kind of the scene, or `mirror`.
  package var kind: String { mirrors.isEmpty ? scene.kind : "mirror" }

  /// The one-line summary of the scene, such as `mirror of DP-1: Welcome`.
  package var summary: String { prefix + scene.summary }

  /// The full text of a banner or the summary of any other scene, with the mirrors as a prefix.
  package var words: String {
    guard case .banner(let text) = scene.content, mirrors.isEmpty || !text.isEmpty else { return summary }
    return prefix + text
  }

  private var prefix: String { mirrors.map { "mirror of \($0): " }.joined() }
}
