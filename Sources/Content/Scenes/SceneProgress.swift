/// The steps of playlists, schedules and calendars that a scene is at.
package struct SceneProgress: Hashable, Sendable {
  /// The steps that lead to each visible scene, the outermost first. A scene without zones has one list at most.
  package var paths: [[SceneStep]]

  /// Creates the progress of a scene that has just begun.
  package init() { paths = [] }

  /// Creates the progress of a scene without zones.
  package init(_ path: [SceneStep]) { paths = path.isEmpty ? [] : [path] }

  /// The steps that lead to the visible scene; in a scene with zones, to the main scene.
  package var main: [SceneStep] { paths.first ?? [] }

  /// Whether an item of a playlist is visible.
  package var hasItem: Bool { paths.contains { $0.contains(where: \.isItem) } }

  /// Returns the step after others; nil if what comes there has just begun.
  func step(after steps: [SceneStep]) -> SceneStep? {
    paths.first { $0.count > steps.count && $0.starts(with: steps) }?[steps.count]
  }

  /// Moves all starts, because the clock was set.
  ///
  /// - Parameter milliseconds: The jump of the clock, in milliseconds.
  package mutating func move(by milliseconds: Int64) {
    for path in paths.indices {
      for index in paths[path].indices where !paths[path][index].isZone { paths[path][index].began &+= milliseconds }
    }
  }
}
