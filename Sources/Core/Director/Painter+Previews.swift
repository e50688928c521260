import Geometry
import Pictures

extension Painter {
  /// A reduced image of the frame on screen, in progress.
  struct Reading {
    let surface: SurfaceID
    let width: Int
    /// The serial number of the frame that is read.
    let serial: Int
    var reduction: FrameReduction
    /// The number of restarts because of a new frame on screen.
    let restarts: Int
  }

  /// The result of a read.
  enum Read: Sendable {
    /// More parts remain.
    case part
    /// The whole frame with this serial number was read.
    case whole(serial: Int, FrameReduction)
    /// The surface was removed.
    case gone
  }

  /// The time for which a render thread reads before it does other work: a quarter of a frame. Slow memory takes many
  /// such parts.
  private static let part = Duration.milliseconds(4)

  /// The number of restarts after which parts of several frames are combined. Otherwise slow memory with an animation
  /// would be read endlessly. The next request finds another serial number, and reads again.
  private static let mostRestarts = 3

  /// Reads a part of the frame that a surface has on screen. The caller repeats the call until the frame is
  /// complete. Only one frame is read at a time.
  ///
  /// The painter alone holds the reduction between calls. A second reference would cause a copy of the whole reduction
  /// for each part, and that of a tall frame is large.
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

  /// Returns whether the current read has this surface and width, and need not start again. That holds if its frame is
  /// on screen, or if the limit on restarts is reached.
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
