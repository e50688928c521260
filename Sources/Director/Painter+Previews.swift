import Geometry
import Pictures

extension Painter {
  /// A small picture of the glass on its way.
  struct Reading: Sendable {
    /// The number of the picture that is read.
    var serial: Int
    var reduction: FrameReduction
    /// How often another picture came on the glass meanwhile.
    var restarts = 0
  }

  /// How long a lane reads before others have their turn: a quarter of a frame. Slow memory takes many such parts.
  private static let part = Duration.milliseconds(4)

  /// After so many pictures that came meanwhile, parts of several are one: who asks again will find another number then,
  /// and slow memory under a moving picture would be read for ever.
  private static let mostRestarts = 3

  /// Begins to read what is on a surface's glass, or with a reading reads on; nil where the surface is gone. It is
  /// called until the reading is whole.
  func read(_ id: SurfaceID, width: Int, on reading: Reading? = nil) -> Reading? {
    guard let surface = surfaces[id] else { return nil }
    guard var reading = current(reading, of: surface) ?? begin(surface, width: width, after: reading) else {
      return nil
    }
    let end = ContinuousClock.now.advanced(by: Self.part)
    surface.read(&reading.reduction) { ContinuousClock.now < end }
    return reading
  }

  private func current(_ reading: Reading?, of surface: Surface) -> Reading? {
    guard let reading, reading.serial == surface.serial || reading.restarts >= Self.mostRestarts else { return nil }
    return reading
  }

  private func begin(_ surface: Surface, width: Int, after last: Reading?) -> Reading? {
    guard let reduction = surface.beginReduction(width: width) else { return nil }
    return Reading(serial: surface.serial, reduction: reduction, restarts: last.map { $0.restarts + 1 } ?? 0)
  }
}
