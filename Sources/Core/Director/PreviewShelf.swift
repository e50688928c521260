import Control

/// The previews of one output: those that are being made, and the newest that are made.
final class PreviewShelf {
  /// What tells previews of one output apart.
  struct Key: Hashable, Sendable {
    var width: Int
    var format: PreviewRequest.Format
  }

  /// Which picture of an output is on its glass: of two the later one is greater.
  struct Glass: Comparable, Sendable {
    var surface: Painter.SurfaceID
    var serial: Int

    static func < (one: Glass, other: Glass) -> Bool {
      (one.surface, one.serial) < (other.surface, other.serial)
    }
  }

  /// A preview, and what it is of.
  struct Made: Sendable {
    var glass: Glass
    var preview: Preview
  }

  /// Several who ask for the same get one work.
  var work: [Key: Task<Result<Made, ControlError>, Never>] = [:]
  private var kept: [Key: Made] = [:]

  /// Most previews that are kept, and most bytes in all: those of a page in some browsers.
  private static let most = (count: 4, bytes: 2 << 20)

  /// The newest preview that was made, if it is of this picture.
  func preview(_ key: Key, of glass: Glass) -> Preview? {
    guard let made = kept[key], made.glass == glass else { return nil }
    return made.preview
  }

  /// Keeps a preview, and lets go of those of pictures before, and of all if they are too many.
  func keep(_ made: Made, as key: Key) {
    kept = kept.filter { $0.value.glass == made.glass }
    kept[key] = made
    let bytes = kept.values.reduce(0) { $0 + ($1.preview.bytes?.count ?? 0) }
    guard kept.count > Self.most.count || bytes > Self.most.bytes else { return }
    kept = (made.preview.bytes?.count ?? 0) > Self.most.bytes ? [:] : [key: made]
  }
}
