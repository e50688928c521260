import Calendars
import ICalendar

/// Fuzzes the reader of iCalendar files with bytes from libFuzzer. A file becomes events or a refusal, and the times of
/// events are in order and within the window.
func fuzzCalendar(_ bytes: [UInt8]) {
  let now: Int64 = 1_795_000_000
  guard let events = try? ICalendarFile.events(in: bytes, at: now) else { return }
  precondition(events.count <= ICalendarFile.mostEvents)
  for event in events {
    let window = now..<now + 500 * 86_400
    guard let times = try? event.times(in: window, zone: .utc) else { continue }
    precondition(times.allSatisfy { $0.overlaps(window) })
    precondition(zip(times, times.dropFirst()).allSatisfy { $0.lowerBound < $1.lowerBound })
  }
}
