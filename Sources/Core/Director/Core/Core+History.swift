import Control
import Displays
import Scenes

/// The events for clients and the entries of the history.
///
/// Both derive from what was flipped or changed, never from what was requested.
extension Core {
  // MARK: Events

  /// Sends an event about a display to the listeners.
  mutating func send(
    _ kind: ControlEvent.Kind, _ display: String, at time: UInt64? = nil, detail: String? = nil,
    about source: Shown.Source? = nil
  ) {
    let time = time ?? now.monotonic
    emit(
      .send(
        CoreEffect.Event(
          kind: kind, display: display, time: time, date: wallTime(of: time), detail: detail, source: source)))
  }

  /// Notifies listeners that an output presents a message or a session's scene.
  mutating func sendShown(_ id: OutputID, at time: UInt64) {
    guard let showing = self[id]?.showing, let words = showing.words else { return }
    send(.messageShown, id.name, at: time, detail: words, about: showing.source)
  }

  /// Acknowledges a message, and notifies listeners for each display that shows it.
  ///
  /// - Throws: A `ControlError` if there is no such message.
  mutating func acknowledge(_ id: Int) throws(ControlError) {
    let message = store.message(id)
    let displays = outputs.filter { $0.showing.source == .message(id) }.map(\.name)
    try attempt { store, now throws(SessionModelError) in _ = try store.acknowledge(id, at: now) }
    guard let message else { return }
    for display in displays.isEmpty ? [message.display ?? ""] : displays {
      send(.messageAcknowledged, display, detail: message.scene.summary, about: .message(id))
    }
  }

  // MARK: History

  /// Records the presented content in the history, if it differs from that of the last entry.
  mutating func noteEntry(of id: OutputID, at flip: UInt64) {
    guard let entry = self[id].flatMap({ newEntry(of: $0, at: flip) }) else { return endEntry(of: id, at: flip) }
    if let former = self[id]?.entry, former.what == entry.what, former.kind == entry.kind,
      former.session == entry.session
    {
      return
    }
    historyCount += 1
    replaceEntry(of: id, by: entry, at: flip)
  }

  /// Returns the history entry for the presented content of an output; nil if it shows nothing.
  private func newEntry(of output: OutputRecord, at flip: UInt64) -> PresentedEntry? {
    let showing = output.showing
    guard showing.words != nil, let seen = showing.seen else { return nil }
    var session: Int?
    if case .session(let id) = showing.source { session = id }
    // The page is left out, so that a text whose pages turn automatically is one entry.
    return PresentedEntry(
      id: historyCount + 1, display: output.name, monitor: output.identity.text, session: session, kind: seen.kind,
      what: seen.summary, began: wallTime(of: flip))
  }

  /// Ends the history entry of an output that shows nothing, or something else since a flip. With nil, the entry ends
  /// now.
  mutating func endEntry(of id: OutputID, at flip: UInt64? = nil) {
    if self[id]?.entry != nil { replaceEntry(of: id, by: nil, at: flip ?? now.monotonic) }
  }

  /// Ends the history entry of an output, and begins another one; nil for none.
  private mutating func replaceEntry(of id: OutputID, by entry: PresentedEntry?, at flip: UInt64) {
    var former: PresentedEntry?
    update(id) { output in (former, output.entry) = (output.entry, entry) }
    if let former { emit(.history(.ended(former.id, at: max(former.began, wallTime(of: flip))))) }
    if let entry { emit(.history(.began(entry))) }
  }

  /// Converts a time of CLOCK_MONOTONIC in nanoseconds to milliseconds since 1970.
  func wallTime(of time: UInt64) -> Int64 {
    // Drivers stamp a flip with the start of its frame, which is up to one vertical blank ahead of now
    // (drm_crtc_vblank_helper_get_vblank_timestamp).
    let age = now.monotonic - min(time, now.monotonic)
    return now.wall - Int64(clamping: age / 1_000_000)
  }
}

extension Message {
  /// The name of the display that the message targets; nil for any other target.
  var display: String? {
    if case .display(let name) = target { name } else { nil }
  }
}
