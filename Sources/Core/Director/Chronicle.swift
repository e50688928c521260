import Control
import Displays
import Scenes

/// The events for clients and the entries of the history.
///
/// Both derive from what was flipped or changed, never from what was requested. Only the director uses it.
final class Chronicle {
  /// The hub that sends the events.
  let hub: EventHub
  private let persistence: any Persistence
  private let now: @Sendable () -> UInt64
  private let wallClock: @Sendable () -> Int64
  private var entryCount = 0

  init(_ environment: Director.Environment, _ persistence: any Persistence) {
    hub = EventHub(epoch: environment.epoch)
    self.persistence = persistence
    (now, wallClock) = (environment.now, environment.wallClock)
  }

  // MARK: Events

  /// Sends an event about a display to the listeners.
  func emit(
    _ kind: ControlEvent.Kind, _ display: String, at time: UInt64? = nil, detail: String? = nil,
    about source: Shown.Source? = nil
  ) {
    let time = time ?? now()
    let date = Timestamp(milliseconds: wallTime(of: time))
    hub.send(kind, display, time: time, date: date, detail: detail, about: source)
  }

  /// Notifies listeners that an output presents a message or a session's scene.
  func emitShown(_ output: Output, at time: UInt64) {
    guard let words = output.showing.words else { return }
    emit(.messageShown, output.name, at: time, detail: words, about: output.showing.source)
  }

  /// Sends the event for a change of the session model, whether a request or a deadline caused it.
  func emit(_ event: SessionModelEvent) {
    switch event {
    case .opened(let session, let display): emit(.sessionOpened, session, display)
    case .moved(let session, let display): emit(.sessionMoved, session, display)
    case .changed(let session, let display): emit(.sessionChanged, session, display)
    case .closed(let session, let display): emit(.sessionClosed, session, display)
    case .boardChanged(let board): emit(.boardChanged, "", detail: board.summary)
    case .posted(let message): emit(.messagePosted, message)
    case .ended(let message): emit(.messageEnded, message)
    }
  }

  private func emit(_ kind: ControlEvent.Kind, _ session: Session, _ display: String?) {
    emit(kind, display ?? "", detail: session.scene.summary, about: .session(session.id))
  }

  private func emit(_ kind: ControlEvent.Kind, _ message: Message) {
    emit(kind, message.display ?? "", detail: message.scene.summary, about: .message(message.id))
  }

  // MARK: History

  /// Records the presented content in the history, if it differs from that of the last entry.
  func noteEntry(of output: Output, at flip: UInt64) {
    guard output.showing.words != nil, let seen = output.showing.seen else { return endEntry(of: output, at: flip) }
    var session: Int?
    if case .session(let id) = output.showing.source { session = id }
    // The page is left out, so that a text whose pages turn automatically is one entry.
    let (kind, what) = (seen.kind, seen.summary)
    if let entry = output.entry, entry.what == what, entry.kind == kind, entry.session == session { return }
    endEntry(of: output, at: flip)
    entryCount += 1
    let entry = PresentedEntry(
      id: entryCount, display: output.name, monitor: output.identity.text, session: session, kind: kind,
      what: what, began: wallTime(of: flip))
    output.entry = entry
    persistence.note(.began(entry))
  }

  /// Ends the history entry of an output that shows nothing, or something else since a flip. With nil, the entry ends
  /// now.
  func endEntry(of output: Output, at flip: UInt64? = nil) {
    guard let entry = output.entry else { return }
    output.entry = nil
    persistence.note(.ended(entry.id, at: max(entry.began, wallTime(of: flip ?? now()))))
  }

  /// Converts a time of CLOCK_MONOTONIC in nanoseconds to milliseconds since 1970.
  func wallTime(of time: UInt64) -> Int64 {
    // Drivers stamp a flip with the start of its frame, which is up to one vertical blank ahead of now
    // (drm_crtc_vblank_helper_get_vblank_timestamp).
    let now = now()
    let age = now - min(time, now)
    return wallClock() - Int64(clamping: age / 1_000_000)
  }
}

extension Message {
  /// The name of the display that the message targets; nil for any other target.
  fileprivate var display: String? {
    if case .display(let name) = target { name } else { nil }
  }
}
