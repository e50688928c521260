import Ordering

/// What whoever holds the controller can ask of the service; transports (HTTP) and clients speak only in these words.
public protocol ControlService: Sendable {
  /// The service as a whole.
  func status() async -> ServiceStatus
  /// All displays that are known, connected ones first, by name.
  func displays() async -> [DisplayReport]
  /// How the mode of one display was chosen, each rejected one with its reason.
  func why(_ display: String) async throws(ControlError) -> WhyReport
  /// The message of one display, or with nil the one for all displays.
  func message(_ display: String?) async throws(ControlError) -> MessageReport
  /// Shows a message on one display or on all, in place of the last one that was shown so. It covers the sessions that
  /// are open there. Only the request's text or scene, its display and `wait` count. With `wait` it returns when each lit
  /// display concerned has shown it (its flip event came).
  func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport
  /// Ends the message that `setMessage` showed on one display, or with nil on all. What it covered is seen again.
  func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport
  /// Ends all messages.
  func removeAllMessages() async -> ClearReport
  /// Sends one display, or with nil all, to sleep, or wakes it; a woken one is lit when this returns, or dark for a
  /// reason that its report tells.
  func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport]
  /// What all monitors show, also those that are not plugged in now.
  func sessions() async -> [SessionReport]
  /// Some of the sessions, in the order of `sessions()`.
  func sessions(after place: ListPlace?, most: Int) async -> ListPart<SessionReport>
  /// The session of this ID; nil where there is none.
  func session(_ id: Int) async -> SessionReport?
  /// Opens a scene on a display, or brings the session that has it forward; with `wait` it returns when it is on the
  /// glass.
  func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport
  /// Brings a session to another display; the one that was there ends.
  func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport
  /// Ends a session; its display falls back to what its role shows.
  func close(_ session: Int) async throws(ControlError)
  /// The sessions that ended last, the newest first.
  func closedSessions() async -> [ClosedSessionReport]
  /// Opens a session again that ended, on the monitor that it was on; what is open there ends.
  func reopen(_ session: Int) async throws(ControlError) -> SessionReport
  /// Turns to another place of a session's scene.
  func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport
  /// Gives a session another scene; where its kind stays, it stays where it was scrolled to.
  func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport
  /// Reads the files of a session's scene anew, and draws it again.
  func refresh(_ session: Int) async throws(ControlError) -> SessionReport
  /// The controller's board.
  func board() async throws(ControlError) -> BoardReport
  /// Gives the board other columns and cards; the ones that are open change on their displays, too.
  func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport
  /// The pictures that were uploaded, newest first.
  func pictures() async throws(ControlError) -> [PictureReport]
  /// The file of an uploaded picture, by its name or the name of the file that was uploaded.
  func picture(_ name: String) async throws(ControlError) -> [UInt8]
  /// Keeps a picture, PNG or JPEG, for scenes to show, with the name of its file; the same one twice is one.
  func addPicture(_ bytes: [UInt8], file: String?) async throws(ControlError) -> PictureReport
  /// Removes an uploaded picture; refused with `conflict` while a scene shows it.
  func removePicture(_ name: String) async throws(ControlError)
  /// All live messages, those that cover others first.
  func messages() async -> [LiveMessage]
  /// Some of the live messages, in the order of `messages()`.
  func messages(after place: ListPlace?, most: Int) async -> ListPart<LiveMessage>
  /// The live message of this ID; nil where there is none.
  func liveMessage(_ id: Int) async -> LiveMessage?
  /// Posts a message beside the others; one of the same name takes the place of the last. With `wait` it returns when
  /// each lit display concerned has shown it.
  func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport
  /// Somebody has seen this message: one that waits for that is over.
  func acknowledge(_ message: Int) async throws(ControlError)
  /// Takes a message away.
  func withdraw(_ message: Int) async throws(ControlError)
  /// What was shown, newest first.
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine]
  /// A PNG of the frame that the display scans out now.
  func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8]
  /// A small picture of the frame that the display scans out now; made only when it is another than the known one.
  func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview
  /// Gives one monitor another mode or turn; unless it is to be kept at once, it is taken back after 15 seconds without
  /// `confirmMode`. Refused with `conflict` where the driver takes nothing of it: then all is as it was.
  func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport
  /// Keeps the mode that is on trial.
  func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport
  /// Takes a mode on trial back at once; without a trial, forgets what was chosen for this monitor: the configuration
  /// decides again.
  func resetMode(_ display: String) async throws(ControlError) -> DisplayReport
  /// Lets displays tell their names, modes and monitors for some seconds, above all else.
  func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport]
  /// The virtual monitors that are plugged in, and those that can be chosen from.
  func virtualMonitors() async throws(ControlError) -> VirtualReport
  /// Plugs a virtual monitor.
  func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport
  /// Unplugs a virtual monitor.
  func unplug(_ display: String) async throws(ControlError)
  /// What happens from now on; ends when the consumer stops or the service ends. Bounded: the oldest are dropped.
  func events() async -> AsyncStream<ControlEvent>
  /// What happened since a place in the events, as far as it is remembered, and what happens from now on.
  func events(after place: EventPlace?) async -> EventFeed
  /// How the service is.
  func health() async throws(ControlError) -> HealthReport
  /// Acknowledges a loss of the health, which is then no reason any more.
  func acknowledgeLoss(_ id: Int) async throws(ControlError)
  /// Acknowledges all losses of the health, and returns them.
  func acknowledgeLosses() async -> [LossReport]
  /// What the service's checks of the machine find.
  func doctor() async throws(ControlError) -> DoctorReport
  /// The newest lines of the log.
  func log() async -> LogReport
}

extension ControlService {
  /// No findings: a service without a machine.
  public func doctor() async throws(ControlError) -> DoctorReport { DoctorReport() }

  /// No lines: a service without a log.
  public func log() async -> LogReport { LogReport() }

  /// Some of the sessions, taken from all of them.
  public func sessions(after place: ListPlace?, most: Int) async -> ListPart<SessionReport> {
    await sessions().part(after: place, most: most, by: \.listKey) { $0 }
  }

  /// The session of this ID, taken from all of them.
  public func session(_ id: Int) async -> SessionReport? { await sessions().first { $0.id == id } }

  /// Some of the live messages, taken from all of them.
  public func messages(after place: ListPlace?, most: Int) async -> ListPart<LiveMessage> {
    await messages().part(after: place, most: most, by: \.listKey) { $0 }
  }

  /// The live message of this ID, taken from all of them.
  public func liveMessage(_ id: Int) async -> LiveMessage? { await messages().first { $0.id == id } }
}

extension SessionReport {
  /// What names the session in a list; empty for a monitor without one.
  public var listKey: String { id.map(String.init) ?? "" }
}

extension LiveMessage {
  /// What names the message in a list.
  public var listKey: String { "\(id)" }
}

/// A request that was not carried out: what was asked, why not, and the next step, in a sentence.
public struct ControlError: Error, Codable, Hashable, Sendable {
  /// What sort of refusal it is.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The request itself is wrong.
    case invalid
    /// There is no such display, session or message.
    case notFound
    /// Somebody else has changed it since: look at it again.
    case changed
    /// It is right, but cannot be done in this state (nothing lit, no virtual monitors here).
    case conflict
    /// The service failed at it.
    case failed
  }

  /// What sort of refusal it is.
  public var kind: Kind
  /// A sentence for a person.
  public var message: String

  /// An error of this kind.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The refusal of a name that no display has.
  ///
  /// - Parameters:
  ///   - name: The name that the client gave.
  ///   - known: The names of all displays that are known.
  /// - Returns: A `notFound` error that lists the known names.
  public static func unknownDisplay(_ name: String, known: [String]) -> ControlError {
    let list =
      known.isEmpty ? "no display is known" : "the displays are \(known.naturallySorted().joined(separator: ", "))"
    return ControlError(.notFound, "there is no display \(name); \(list)")
  }

  /// The refusal of an ID that no session has.
  ///
  /// - Parameter id: The ID that the client gave.
  /// - Returns: A `notFound` error that names the command that lists the sessions.
  public static func unknownSession(_ id: Int) -> ControlError {
    ControlError(.notFound, "there is no session \(id); `placard sessions` lists them")
  }

  /// The refusal of a number that no loss has.
  ///
  /// - Parameter id: The number that the client gave.
  /// - Returns: A `notFound` error that names the command that lists the losses.
  public static func unknownLoss(_ id: Int) -> ControlError {
    ControlError(.notFound, "there is no loss \(id) to acknowledge; `placard health --json` lists them")
  }

  /// The refusal of an ID that no live message has.
  ///
  /// - Parameter id: The ID that the client gave.
  /// - Returns: A `notFound` error that names the command that lists the messages.
  public static func unknownMessage(_ id: Int) -> ControlError {
    ControlError(.notFound, "there is no message \(id); `placard messages` lists them")
  }
}
