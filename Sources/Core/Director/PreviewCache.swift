import Control

/// A cache of one output's previews: those in progress, and the newest finished ones.
final class PreviewCache {
  /// The properties that distinguish the previews of one output.
  struct Key: Hashable, Sendable {
    var width: Int
    var format: PreviewRequest.Format
  }

  /// The identifier of the frame on an output's screen. A later frame has a greater identifier.
  struct FrameID: Comparable, Sendable {
    var surface: Painting.SurfaceID
    var serial: Int

    static func < (one: FrameID, other: FrameID) -> Bool {
      (one.surface, one.serial) < (other.surface, other.serial)
    }
  }

  /// A preview and the identifier of its frame.
  struct Made: Sendable {
    var frame: FrameID
    var preview: Preview
  }

  /// The previews in progress. Equal requests share one task.
  var work: [Key: Task<Result<Made, ControlError>, Never>] = [:]
  private var kept: [Key: Made] = [:]

  /// The limits on cached previews and on their bytes in all: enough for a page in a few browsers.
  private static let most = (count: 4, bytes: 2 << 20)

  /// Returns the newest preview, if it is of this frame.
  func preview(_ key: Key, of frame: FrameID) -> Preview? {
    guard let made = kept[key], made.frame == frame else { return nil }
    return made.preview
  }

  /// Adds a preview, and removes those of earlier frames. If a limit is exceeded, all other previews are removed; a
  /// preview larger than the limit itself is not kept.
  func keep(_ made: Made, as key: Key) {
    kept = kept.filter { $0.value.frame == made.frame }
    kept[key] = made
    let bytes = kept.values.reduce(0) { $0 + ($1.preview.bytes?.count ?? 0) }
    guard kept.count > Self.most.count || bytes > Self.most.bytes else { return }
    kept = (made.preview.bytes?.count ?? 0) > Self.most.bytes ? [:] : [key: made]
  }
}
