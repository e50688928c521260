import Control
import Scenes

extension Director {
  /// Tells whoever watches what happened to a display.
  func tell(_ kind: ControlEvent.Kind, _ display: String, at time: UInt64? = nil, detail: String? = nil) {
    hub.send(kind, display, time: time ?? environment.now(), detail: detail)
  }

  /// Tells whoever watches what became of a session or a message, whoever asked for it, or time.
  func tell(_ event: StoreEvent) {
    switch event {
    case .opened(let session, let display): tell(.sessionOpened, display ?? "", detail: session.words)
    case .moved(let session, let display): tell(.sessionMoved, display, detail: session.words)
    case .changed(let session, let display): tell(.sessionChanged, display ?? "", detail: session.words)
    case .closed(let session, let display): tell(.sessionClosed, display ?? "", detail: session.words)
    case .boardChanged(let board): tell(.boardChanged, "", detail: board.summary)
    case .posted(let message): tell(.messagePosted, message.display ?? "", detail: message.words)
    case .ended(let message): tell(.messageEnded, message.display ?? "", detail: message.words)
    }
  }
}

extension Session {
  fileprivate var words: String { "\(id) \(scene.summary)" }
}

extension Message {
  fileprivate var words: String { "\(id) \(scene.summary)" }

  /// The display that it is for; nil where that is not one by its name.
  fileprivate var display: String? {
    if case .display(let name) = target { name } else { nil }
  }
}
