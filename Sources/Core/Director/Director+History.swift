import Control
import Displays
import Scenes

extension Director {
  /// What was painted is on the glass: the history notes it where it is something else than before.
  func noteEntry(of output: Output, at flip: UInt64) {
    guard output.showing.words != nil, let seen = output.showing.seen else { return endEntry(of: output, at: flip) }
    var session: Int?
    if case .session(let id) = output.showing.source { session = id }
    // Without the page: a text whose pages turn by themselves is one entry.
    let (kind, what) = (seen.kind, seen.summary)
    if let entry = output.entry, entry.what == what, entry.kind == kind, entry.session == session { return }
    endEntry(of: output, at: flip)
    let entry = PresentedEntry(
      id: nextEntry(), display: output.name, monitor: output.identity.text, session: session, kind: kind,
      what: what, began: wallTime(of: flip))
    output.entry = entry
    keeper.note(.began(entry))
  }

  /// The glass shows nothing any more, or something else since this flip.
  func endEntry(of output: Output, at flip: UInt64? = nil) {
    guard let entry = output.entry else { return }
    output.entry = nil
    keeper.note(.ended(entry.id, at: max(entry.began, wallTime(of: flip ?? environment.now()))))
  }

  /// A time of CLOCK_MONOTONIC in nanoseconds, as milliseconds since 1970.
  func wallTime(of time: UInt64) -> Int64 {
    // Drivers stamp a flip with the beginning of its picture, which is up to a vertical blank ahead of now
    // (drm_crtc_vblank_helper_get_vblank_timestamp).
    let now = environment.now()
    let age = now - min(time, now)
    return environment.wallClock() - Int64(clamping: age / 1_000_000)
  }
}
