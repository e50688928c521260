import Control
import Displays
import Geometry
import Outputs
import Scenes

/// Something that the director carries out for the core.
enum CoreEffect {
  /// The level of a log line.
  enum LogLevel {
    case debug, info, notice, warning, error
  }

  /// A decision for the decision observer.
  enum Observation {
    case met(ConnectorSnapshot, MonitorTerms)
    case entered(String, display: String, reason: String?)
  }

  /// A call to a card.
  enum CardCall {
    case check(ModesetPlan)
    case apply(ModesetPlan)
    /// Disable these CRTCs. A failure is logged.
    case disable([UInt32])
    /// Allocate the second buffer of a surface.
    case addBuffer(Painting.SurfaceID, Size)
  }

  /// The first frame of a mode to render.
  struct FirstFrameJob {
    var effect: EffectID
    var output: OutputID
    var surface: Painting.SurfaceID
    var candidate: ModeChoice.Candidate
    var shown: Shown
    var moment: ResolvedScene
  }

  /// An event for clients.
  struct Event {
    var kind: ControlEvent.Kind
    var display: String
    /// The time, in nanoseconds of CLOCK_MONOTONIC.
    var time: UInt64
    /// The time, in milliseconds since 1970.
    var date: Int64
    var detail: String?
    var source: Shown.Source?
  }

  /// A change of the session model. Its records and events are determined when the effect is carried out, because
  /// painters need not wait for them.
  struct ModelChange {
    var old: SessionModel
    var new: SessionModel
    /// The time, in nanoseconds of CLOCK_MONOTONIC.
    var time: UInt64
    /// The time, in milliseconds since 1970.
    var date: Int64

    /// The records to store.
    var records: [RecordChange] { SessionModel.changes(from: old, to: new) }
    /// The events for clients.
    var events: [Event] { SessionModel.events(from: old, to: new).map { Event($0, time: time, date: date) } }
  }

  case log(LogLevel, String)
  indirect case send(Event)
  /// Record a change of what a display presents.
  indirect case history(HistoryChange)
  /// Store changes.
  case store([RecordChange])
  /// Store the differences between two session models, and send them to clients.
  indirect case modelChanged(ModelChange)
  indirect case observe(Observation)
  /// Probe connectors, nil for all; answer with `Core.probed`.
  case probe(CardID, EffectID, Set<UInt32>?)
  /// Answer with `Core.rendered`.
  indirect case render(FirstFrameJob)
  /// Answer with `CardMachine.Event.finished`.
  indirect case call(CardID, EffectID, CardCall)
  /// Free a surface with its buffers.
  case free(CardID, Painting.SurfaceID)
  /// Close a card that is gone, after its surfaces are freed.
  case close(CardID)
  /// Forget a card that is gone and has no surfaces anymore.
  case forget(CardID)
  /// A monitor was connected. The painter renders its frames.
  case connected(OutputID, painter: Int)
  case disconnected(OutputID)
  /// Tell the render thread which frames it may still present.
  case permit(OutputID, FramePermit.Event)
  /// Render the newest content and present it; answer with `Core.painted` and `Core.presented`.
  case paint(OutputID, generation: Int)
  /// Lay out newer content, and present it as the next frame of the animation on screen; answer with `Core.stepped`.
  indirect case offer(OutputID, PaintJob, generation: Int)
  /// Lay out and paint the content that comes next, without presenting it; answer with `Core.prepared`.
  indirect case prepare(OutputID, Painting.SurfaceID, ResolvedScene)
  /// Present the last frame again; answer with `Core.presented`.
  case present(OutputID, generation: Int)
  /// Restore the frames that were wiped, by the modeset or by a later one of the console.
  case restoreFrames(OutputID, Painting.SurfaceID)
  /// Answer the requests that wait for this version of the content or an older one.
  indirect case settled(OutputID, ShowResult, version: Int)
  /// Redraw an output whose chosen mode or rotation changed, and set its mode.
  case followChoice(OutputID)

  /// Whether the effect only reports or stores something, so that no card or painter waits for it.
  var isNote: Bool {
    switch self {
    case .log, .send, .history, .store, .modelChanged: true
    default: false
    }
  }
}

/// The result of waiting for a message to be presented.
enum ShowResult: Sendable {
  /// A flip arrived. The presented content can differ from the content that was waited for.
  case shown(flipTime: UInt64, what: Shown?)
  case notShown(reason: String)
}

extension CoreEffect.Event {
  /// Creates the event for a change of the session model, whether a request or a deadline caused it.
  fileprivate init(_ event: SessionModelEvent, time: UInt64, date: Int64) {
    switch event {
    case .opened(let session, let display): self.init(.sessionOpened, session, display, time, date)
    case .moved(let session, let display): self.init(.sessionMoved, session, display, time, date)
    case .changed(let session, let display): self.init(.sessionChanged, session, display, time, date)
    case .closed(let session, let display): self.init(.sessionClosed, session, display, time, date)
    case .boardChanged(let board):
      self.init(kind: .boardChanged, display: "", time: time, date: date, detail: board.summary)
    case .entryChanged(let name): self.init(kind: .libraryChanged, display: "", time: time, date: date, detail: name)
    case .posted(let message): self.init(.messagePosted, message, time, date)
    case .ended(let message): self.init(.messageEnded, message, time, date)
    }
  }

  private init(_ kind: ControlEvent.Kind, _ session: Session, _ display: String?, _ time: UInt64, _ date: Int64) {
    self.init(
      kind: kind, display: display ?? "", time: time, date: date, detail: session.scene.summary,
      source: .session(session.id))
  }

  private init(_ kind: ControlEvent.Kind, _ message: Message, _ time: UInt64, _ date: Int64) {
    self.init(
      kind: kind, display: message.display ?? "", time: time, date: date, detail: message.scene.summary,
      source: .message(message.id))
  }
}
