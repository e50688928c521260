import Geometry
import Pictures

extension Painter {
  /// A small picture of the glass on its way.
  struct Reading {
    let surface: SurfaceID
    let width: Int
    /// The number of the picture that is read.
    let serial: Int
    var reduction: FrameReduction
    /// How often another picture came on the glass meanwhile.
    let restarts: Int
  }

  /// What became of a reading.
  enum Read: Sendable {
    /// There is more to read.
    case part
    /// All of the picture with this number.
    case whole(serial: Int, FrameReduction)
    /// The surface is gone.
    case gone
  }

  /// How long a lane reads before others have their turn: a quarter of a frame. Slow memory takes many such parts.
  private static let part = Duration.milliseconds(4)

  /// After so many pictures that came meanwhile, parts of several are one: who asks again will find another number then,
  /// and slow memory under a moving picture would be read for ever.
  private static let mostRestarts = 3

  /// Reads a part of what is on a surface's glass, and is called until that is whole. One at a time is read.
  ///
  /// What was read stays with the painter: two who hold it would make a copy of the whole for each part, and the picture of
  /// a tall frame is large.
  func read(_ id: SurfaceID, width: Int) -> Read {
    guard let surface = surfaces[id] else { return .gone }
    if !isCurrent(id, width, surface.serial) { reading = begin(surface, id, width) }
    guard var reading = reading.take() else { return .gone }
    let end = ContinuousClock.now.advanced(by: Self.part)
    surface.read(&reading.reduction) { ContinuousClock.now < end }
    if reading.reduction.isWhole { return .whole(serial: reading.serial, reading.reduction) }
    self.reading = reading
    return .part
  }

  /// Whether what is being read is this, and of the picture that is on the glass, or no longer to be begun again.
  private func isCurrent(_ id: SurfaceID, _ width: Int, _ serial: Int) -> Bool {
    guard let reading, reading.surface == id, reading.width == width else { return false }
    return reading.serial == serial || reading.restarts >= Self.mostRestarts
  }

  private func begin(_ surface: Surface, _ id: SurfaceID, _ width: Int) -> Reading? {
    guard let reduction = surface.beginReduction(width: width) else { return nil }
    let isAnew = reading?.surface == id && reading?.width == width
    let restarts = isAnew ? (reading?.restarts ?? 0) + 1 : 0
    return Reading(surface: id, width: width, serial: surface.serial, reduction: reduction, restarts: restarts)
  }
}
