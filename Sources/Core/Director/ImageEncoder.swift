import Control
import Geometry
import ICalendar
import NIOCore
import Pictures
import Scenes

/// An image encoder and reader of calendars with its own thread. Both take longer than a frame, and must not delay any
/// display.
actor ImageEncoder {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private nonisolated let loop: any EventLoop

  init(on loop: any EventLoop) { self.loop = loop }

  /// Reads the events of an iCalendar file that are not over at a point in time, in Unix time.
  func events(in file: [UInt8], at now: Int64) throws(CalendarError) -> [CalendarEvent] {
    try ICalendarFile.events(in: file, at: now)
  }

  /// Finds the times of a calendar's events around a point in time, in Unix time.
  func times(of calendar: EventCalendar, at now: Int64) -> EventCache.Prepared {
    EventCache.prepare(calendar, at: now)
  }

  /// Encodes an image as a file, after a clockwise rotation.
  func file(
    of picture: RGBImage, turned rotation: Rotation = .none, as format: PreviewRequest.Format
  ) throws(ImageError) -> [UInt8] {
    let turned = try picture.turned(rotation)
    return switch format {
    case .jpeg: try turned.jpeg()
    case .png: try turned.png()
    }
  }

  /// Encodes a reduced image as a file, after rotating it upright.
  func file(of reduction: FrameReduction, as format: PreviewRequest.Format) throws(ImageError) -> [UInt8] {
    try file(of: try reduction.picture(), as: format)
  }
}
