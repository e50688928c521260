import Ordering

/// The requests that the controller serves.
///
/// Transports (HTTP) and clients use only these functions and the types in their signatures.
public protocol ControlService: LibraryService {
  /// Returns the status of the whole service.
  func status() async -> ServiceStatus
  /// Returns all connectors that can carry a display, connected ones first.
  func displays() async -> [DisplayReport]
  /// Returns how the mode of a display was chosen.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected.
  /// - Returns: The policy and the mode, with the reasons for it and against each rejected mode.
  func why(_ display: String) async throws(ControlError) -> WhyReport
  /// Returns the message of one display, or with nil the message for all displays.
  ///
  /// - Parameter display: The connector's name, or nil for the message for all displays.
  /// - Throws: `ControlError` if the display is unknown.
  /// - Returns: The message with its text.
  func message(_ display: String?) async throws(ControlError) -> MessageReport
  /// Shows a message on one display or on all, on top of the sessions that are open there.
  ///
  /// The message replaces the last one that was shown this way. With `wait`, the call returns after each display
  /// concerned has presented it (the flip event arrived) or is known not to.
  ///
  /// - Parameter request: The message. Only its text or scene, its display and `wait` are used.
  /// - Throws: `ControlError` if the request is invalid or the display unknown.
  /// - Returns: The message and where it is shown.
  func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport
  /// Ends the message that `setMessage(_:)` showed on one display, or with nil the one for all displays.
  ///
  /// The content that it covered becomes visible again.
  ///
  /// - Parameter display: The connector's name, or nil for the message for all displays.
  /// - Throws: `ControlError` if the display is unknown.
  /// - Returns: The removed message, and the messages that displays still show.
  func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport
  /// Ends all messages. The content that they covered becomes visible again.
  func removeAllMessages() async -> ClearReport
  /// Puts one display or all displays to sleep, or wakes them.
  ///
  /// The sleep state belongs to the monitor. It stays asleep after it disconnects and connects again, as many monitors
  /// do when their signal ends, and on another port as well. A display that was woken is lit when the call returns, or
  /// dark for the reason in its report.
  ///
  /// - Parameter request: The display, or nil for all, and whether to sleep.
  /// - Throws: `ControlError` if the display is unknown or not connected.
  /// - Returns: The reports of the displays concerned.
  func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport]
  /// Returns what each monitor shows, including monitors that are not connected now.
  func sessions() async -> [SessionReport]
  /// Returns part of the list of sessions. Reports are created for this part only.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of sessions.
  /// - Returns: The sessions, and whether more follow.
  func sessions(after place: ListPlace?, most: Int) async -> ListPart<SessionReport>
  /// Returns the session with an ID.
  ///
  /// - Parameter id: The session's number.
  /// - Returns: The session; nil if there is none.
  func session(_ id: Int) async -> SessionReport?
  /// Opens a scene on a display, or brings the session that already has it forward.
  ///
  /// With `wait`, the call returns after the scene was presented.
  ///
  /// - Parameter request: The scene, the display and the session's tag.
  /// - Throws: `ControlError` if the scene is invalid or the display unknown.
  /// - Returns: The session, with its `delivery`.
  func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport
  /// Moves a session to another display, and ends the session that was there.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - display: The name of the connector to move it to.
  /// - Throws: `ControlError` if the session or the display is unknown.
  /// - Returns: The session, with its `delivery`.
  func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport
  /// Ends a session, after which its display falls back to the scene of its role.
  ///
  /// - Parameter session: The session's number.
  /// - Throws: `ControlError` if there is no such session.
  func close(_ session: Int) async throws(ControlError)
  /// Returns the sessions that ended last, newest first.
  func closedSessions() async -> [ClosedSessionReport]
  /// Reopens an ended session on its monitor, and ends the session that is open there.
  ///
  /// - Parameter session: The number of the ended session.
  /// - Throws: `ControlError` if no such session is remembered.
  /// - Returns: The session, with its `delivery`.
  func reopen(_ session: Int) async throws(ControlError) -> SessionReport
  /// Scrolls the scene of a session.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - request: The position, the heading or the number of pages to scroll by.
  /// - Throws: `ControlError` if there is no such session, or if its scene has no such place.
  /// - Returns: The session at its new place.
  func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport
  /// Replaces the scene of a session, unless it changed since the revision that the client read. The scroll position is
  /// kept if the kind of scene stays the same.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - edit: The new scene, with the revision that it is based on.
  /// - Throws: `ControlError` if there is no such session or the scene is invalid, or of kind `changed` if the current
  ///   revision is another one.
  /// - Returns: The session, with its `delivery`.
  func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport
  /// Reloads the files of a session's scene, and redraws it.
  ///
  /// - Parameter session: The session's number.
  /// - Throws: `ControlError` if there is no such session.
  /// - Returns: The session, with its `delivery`.
  func refresh(_ session: Int) async throws(ControlError) -> SessionReport
  /// Returns the controller's board.
  func board() async throws(ControlError) -> BoardReport
  /// Replaces the columns and cards of the board, unless they changed since the revision that the client read.
  ///
  /// - Parameter edit: The new board, with the revision that it is based on.
  /// - Throws: `ControlError` if the board is invalid, or of kind `changed` if the current revision is another one.
  /// - Returns: The board after the change.
  func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport
  /// Returns the uploaded images, newest first.
  ///
  /// - Throws: `ControlError` if the service has no folder for images, or if it cannot be read.
  /// - Returns: The images.
  func images() async throws(ControlError) -> [ImageReport]
  /// Returns the file of an uploaded image.
  ///
  /// - Parameter name: The image's name, or the name of the file that was uploaded.
  /// - Throws: `ControlError` of kind `notFound` if there is no such image, or `conflict` if several files had this
  ///   name.
  /// - Returns: The bytes of a PNG or JPEG file.
  func image(_ name: String) async throws(ControlError) -> [UInt8]
  /// Stores a PNG or JPEG image for use in scenes.
  ///
  /// An image that is already stored is not stored twice.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - file: The name of the file that was uploaded; nil if it is unknown.
  /// - Throws: `ControlError` if the bytes are not a valid image, or if the image cannot be stored.
  /// - Returns: The stored image.
  func addImage(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport
  /// Removes an image that no scene shows.
  ///
  /// - Parameter name: The image's name, or the name of the file that was uploaded.
  /// - Throws: `ControlError` if there is no such image, or of kind `conflict` if it is in use.
  func removeImage(_ name: String) async throws(ControlError)
  /// Returns all live messages; a message that covers another comes first.
  func messages() async -> [LiveMessage]
  /// Returns part of the list of live messages. Reports are created for this part only.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of messages.
  /// - Returns: The messages, and whether more follow.
  func messages(after place: ListPlace?, most: Int) async -> ListPart<LiveMessage>
  /// Returns the live message with an ID.
  ///
  /// - Parameter id: The message's number.
  /// - Returns: The message; nil if there is none.
  func liveMessage(_ id: Int) async -> LiveMessage?
  /// Posts a message alongside the others.
  ///
  /// It replaces the last message of the same name. With `wait`, the call returns after each display concerned has
  /// presented it or is known not to.
  ///
  /// - Parameter request: The message and its target.
  /// - Throws: `ControlError` if the request is invalid.
  /// - Returns: The message and where it is shown.
  func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport
  /// Confirms that a message was seen, which ends a message that requires acknowledgment.
  ///
  /// - Parameter message: The message's number.
  /// - Throws: `ControlError` if there is no such message.
  func acknowledge(_ message: Int) async throws(ControlError)
  /// Withdraws a message.
  ///
  /// - Parameter message: The message's number.
  /// - Throws: `ControlError` if there is no such message.
  func withdraw(_ message: Int) async throws(ControlError)
  /// Returns the entries of the display history, newest first.
  ///
  /// - Parameter query: The filter and the part of the history to return.
  /// - Throws: `ControlError` if the history cannot be read, or if the display is unknown and has no entries.
  /// - Returns: The entries.
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine]
  /// Returns the frame on screen as a file.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The file format, and whether the frame is rotated upright.
  /// - Throws: `ControlError` if the display is unknown or not lit, or if the encoder fails.
  /// - Returns: The bytes of a PNG or JPEG file.
  func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8]
  /// Returns a small image of the frame on screen. If the client has the image of this frame already, nothing is read
  /// or encoded.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The width, the file format and the tag of the client's image.
  /// - Throws: `ControlError` if the request is invalid, if the display is unknown or shows nothing, or if the image
  ///   cannot be encoded.
  /// - Returns: The image, without its bytes if the client already has it.
  func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview
  /// Changes the mode or rotation of one monitor.
  ///
  /// The change is reverted after 15 seconds without `confirmMode(_:)`, unless the request keeps it at once.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The mode and rotation, and whether to keep them at once.
  /// - Throws: `ControlError` if the request cannot be carried out. It is of kind `conflict` if the driver accepts none
  ///   of the requested modes; the previous mode then remains.
  /// - Returns: The display with its pending mode change.
  func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport
  /// Keeps the pending mode change.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected, if no change is pending, or if too many
  ///   choices are stored.
  /// - Returns: The display with the mode that it keeps.
  func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport
  /// Reverts a pending mode change at once.
  ///
  /// Without one, it deletes the choice made for this monitor, so that the configuration decides again.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected, or if a mode is being set on it.
  /// - Returns: The display with the mode that it has now.
  func resetMode(_ display: String) async throws(ControlError) -> DisplayReport
  /// Shows the name, mode and monitor of displays on them, on top of everything else. Sleeping displays are not woken.
  ///
  /// - Parameter request: The display, or nil for all, and the number of seconds (1 to 600, 10 by default).
  /// - Throws: `ControlError` if the display is unknown, or if the number of seconds is out of range.
  /// - Returns: The displays concerned, in their current state. If no card can be used, the displays that are dark for
  ///   that reason.
  func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport]
  /// Returns the virtual monitors that are plugged in and the available choices: common sizes, and real monitors whose
  /// EDIDs are in the configured folder.
  func virtualMonitors() async throws(ControlError) -> VirtualReport
  /// Plugs in a virtual monitor, and returns after the hotplug was handled.
  ///
  /// - Parameter request: The monitor's size or EDID, and the name of the virtual output.
  /// - Throws: `ControlError` if the backend has no virtual monitors, if the request is invalid, or if the card could
  ///   not be probed yet.
  /// - Returns: The report of the display.
  func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport
  /// Unplugs a virtual monitor.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the backend has no virtual monitors, or if no virtual monitor is plugged in there.
  func unplug(_ display: String) async throws(ControlError)
  /// Returns the events from now on.
  ///
  /// The buffer is bounded and drops the oldest events.
  ///
  /// - Returns: A stream that ends when the consumer stops or the daemon ends.
  func events() async -> AsyncStream<ControlEvent>
  /// Returns the remembered events since a place, followed by the events from now on.
  ///
  /// - Parameter place: The place of the last event that the client received; nil for new events only.
  /// - Returns: The events, and whether some were lost.
  func events(after place: EventPlace?) async -> EventFeed
  /// Returns the health of the service. Its state is `starting` until the first displays are lit, or the reasons why
  /// they are not are known.
  func health() async throws(ControlError) -> HealthReport
  /// Acknowledges a loss, which removes it from the reasons in the health.
  ///
  /// - Parameter id: The loss's number.
  /// - Throws: `ControlError` if no open loss has this number.
  func acknowledgeLoss(_ id: Int) async throws(ControlError)
  /// Acknowledges all losses.
  ///
  /// - Returns: The losses that were acknowledged, oldest first.
  func acknowledgeLosses() async -> [LossReport]
  /// Returns the findings of the machine checks, which include the service's own view of its displays.
  func doctor() async throws(ControlError) -> DoctorReport
  /// Returns the newest lines of the log.
  func log() async -> LogReport
}

extension ControlService {
  /// Returns no findings, the default for a service without a machine to check.
  public func doctor() async throws(ControlError) -> DoctorReport { DoctorReport() }

  /// Returns no lines, the default for a service without a log.
  public func log() async -> LogReport { LogReport() }

  /// Returns part of the list that `sessions()` returns.
  public func sessions(after place: ListPlace?, most: Int) async -> ListPart<SessionReport> {
    await sessions().part(after: place, most: most, by: \.listKey) { $0 }
  }

  /// Returns the session with an ID from those that `sessions()` returns.
  public func session(_ id: Int) async -> SessionReport? { await sessions().first { $0.id == id } }

  /// Returns part of the list that `messages()` returns.
  public func messages(after place: ListPlace?, most: Int) async -> ListPart<LiveMessage> {
    await messages().part(after: place, most: most, by: \.listKey) { $0 }
  }

  /// Returns the live message with an ID from those that `messages()` returns.
  public func liveMessage(_ id: Int) async -> LiveMessage? { await messages().first { $0.id == id } }
}

extension SessionReport {
  /// The key that identifies the session in a list; empty for a monitor without a session.
  public var listKey: String { id.map(String.init) ?? "" }
}

extension LiveMessage {
  /// The key that identifies the message in a list.
  public var listKey: String { "\(id)" }
}

/// The error for a request that was not carried out.
///
/// Its sentence names the object, the reason and the next step.
public struct ControlError: Error, Codable, Hashable, Sendable {
  /// The kind of an error.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The request itself is invalid.
    case invalid
    /// The display, session, message or other object does not exist.
    case notFound
    /// The object was changed since the client read it: read it again.
    case changed
    /// The request is valid, but impossible in the current state (no display lit, no virtual monitors here).
    case conflict
    /// The daemon failed to carry out the request.
    case failed
  }

  /// The kind of the error.
  public var kind: Kind
  /// A sentence for people.
  public var message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Returns the error for a name that no display has.
  ///
  /// - Parameters:
  ///   - name: The name that the client sent.
  ///   - known: The names of all known displays.
  /// - Returns: A `notFound` error that lists the known names.
  public static func unknownDisplay(_ name: String, known: [String]) -> ControlError {
    let list =
      known.isEmpty ? "no display is known" : "the displays are \(known.naturallySorted().joined(separator: ", "))"
    return ControlError(.notFound, "there is no display \(name); \(list)")
  }

  /// Returns the error for an ID that no session has.
  ///
  /// - Parameter id: The ID that the client sent.
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
  /// - Parameter id: The ID that the client sent.
  /// - Returns: A `notFound` error that names the command that lists the messages.
  public static func unknownMessage(_ id: Int) -> ControlError {
    ControlError(.notFound, "there is no message \(id); `placard messages` lists them")
  }
}
