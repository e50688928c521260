import Control
import Displays
import Scenes

extension Director {
  /// Records the presented content in the history, if it differs from that of the last entry.
  func noteEntry(of output: Output, at flip: UInt64) {
    guard output.showing.words != nil, let seen = output.showing.seen else { return endEntry(of: output, at: flip) }
    var session: Int?
    if case .session(let id) = output.showing.source { session = id }
    // The page is left out, so that a text whose pages turn automatically is one entry.
    let (kind, what) = (seen.kind, seen.summary)
    if let entry = output.entry, entry.what == what, entry.kind == kind, entry.session == session { return }
    endEntry(of: output, at: flip)
    let entry = PresentedEntry(
      id: nextEntry(), display: output.name, monitor: output.identity.text, session: session, kind: kind,
      what: what, began: wallTime(of: flip))
    output.entry = entry
    persistence.note(.began(entry))
  }

  /// Ends the history entry of an output that shows nothing, or something else since a flip. With nil, the entry ends
  /// now.
  func endEntry(of output: Output, at flip: UInt64? = nil) {
    guard let entry = output.entry else { return }
    output.entry = nil
    persistence.note(.ended(entry.id, at: max(entry.began, wallTime(of: flip ?? environment.now()))))
  }

  /// Converts a time of CLOCK_MONOTONIC in nanoseconds to milliseconds since 1970.
  func wallTime(of time: UInt64) -> Int64 {
    // Drivers stamp a flip with the start of its frame, which is up to one vertical blank ahead of now
    // (drm_crtc_vblank_helper_get_vblank_timestamp).
    let now = environment.now()
    let age = now - min(time, now)
    return environment.wallClock() - Int64(clamping: age / 1_000_000)
  }
}
