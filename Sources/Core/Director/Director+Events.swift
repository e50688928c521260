import Control
import Scenes

extension Director {
  /// Sends an event about a display to the listeners.
  func emit(
    _ kind: ControlEvent.Kind, _ display: String, at time: UInt64? = nil, detail: String? = nil,
    about source: Shown.Source? = nil
  ) {
    let time = time ?? environment.now()
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
}

extension Message {
  /// The name of the display that the message targets; nil for any other target.
  fileprivate var display: String? {
    if case .display(let name) = target { name } else { nil }
  }
}
