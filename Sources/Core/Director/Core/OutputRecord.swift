import Configuration
import Displays
import Geometry
import Outputs
import Scenes

/// The number of a card since the start of the service. A card that returns has another one.
struct CardID: Hashable, Sendable {
  let number: Int
}

/// A connected monitor, from its detection until it is unplugged or its card is lost.
struct OutputID: Hashable, Sendable {
  let card: CardID
  /// The connector's name.
  let name: String
  /// The number of the monitor since the start of the service.
  let number: Int
}

/// The state of a connected monitor, besides that in the machine of its card.
///
/// It is copied on each flip of each display, so that its many fields are in one allocation, which is copied when it is
/// changed while another copy exists.
struct OutputRecord {
  private final class Storage {
    var fields: OutputFields

    init(_ fields: OutputFields) { self.fields = fields }
  }

  private var storage: Storage

  init(_ fields: OutputFields) { storage = Storage(fields) }

  var id: OutputID { storage.fields.id }
  var painter: Int { storage.fields.painter }
  var firstConnector: ConnectorSnapshot { storage.fields.firstConnector }
  var identity: MonitorIdentity { storage.fields.identity }
  var state: DisplayState { storage.fields.state }
  var stateSince: Int64 { storage.fields.stateSince }
  var isIntroduced: Bool { storage.fields.isIntroduced }
  var wish: OutputWish? { storage.fields.wish }
  var content: Int { storage.fields.content }
  var heldUntil: UInt64? { storage.fields.heldUntil }
  var serial: Int { storage.fields.serial }
  var presentation: Presentation { storage.fields.presentation }
  var pending: PendingMode? { storage.fields.pending }
  var wanted: Shown? { storage.fields.wanted }
  var since: Int64 { storage.fields.since }
  var nextChange: Int64? { storage.fields.nextChange }
  var frame: Painting.Frame? { storage.fields.frame }
  var permit: FramePermit.Event? { storage.fields.permit }
  var painted: Showing { storage.fields.painted }
  var showing: Showing { storage.fields.showing }
  var moving: Moving? { storage.fields.moving }
  var missedFrames: Int? { storage.fields.missedFrames }
  var missedInARow: Int? { storage.fields.missedInARow }
  var hasVBlank: Bool { storage.fields.hasVBlank }
  var animationDue: UInt64? { storage.fields.animationDue }
  var checkDue: UInt64? { storage.fields.checkDue }
  var aheadDue: UInt64? { storage.fields.aheadDue }
  var entry: PresentedEntry? { storage.fields.entry }
  var isObserver: Bool { storage.fields.isObserver }
  var imageSize: Size? { storage.fields.imageSize }
  var skipped: [SkippedStep] { storage.fields.skipped }
  var ahead: View? { storage.fields.ahead }
  var offered: FrameOffer? { storage.fields.offered }
  var values: Set<String> { storage.fields.values }

  /// The connector's name.
  var name: String { id.name }
  var isLit: Bool { state == .lit }
  var isAsleep: Bool { state.darkness == .asleep }

  /// The steps of playlists and schedules of the frame that was rendered last; none if it shows something else than
  /// `wanted`.
  var progress: SceneProgress {
    storage.fields.painted.shown == storage.fields.wanted ? storage.fields.painted.progress : SceneProgress()
  }

  /// Changes the fields. With an ID, changes only the record of that output.
  mutating func change(of id: OutputID? = nil, _ body: (inout OutputFields) -> Void) {
    guard id == nil || id == self.id else { return }
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    body(&storage.fields)
  }
}

/// New content that a render thread may present in the next frame of an animation, instead of at the flip after it.
struct FrameOffer: Hashable, Sendable {
  let version: Int
  let generation: Int
}

/// The fields of an `OutputRecord`.
struct OutputFields {
  let id: OutputID
  /// The index of the painter that renders its frames.
  let painter: Int
  let firstConnector: ConnectorSnapshot
  var identity: MonitorIdentity
  /// The size of the image in millimeters; nil if it is unknown.
  var imageSize: Size?
  /// The state that was reported last.
  var state = DisplayState.lighting
  /// The start time of `state`, in milliseconds since 1970.
  var stateSince: Int64
  /// True once the monitor's content is known.
  var isIntroduced = false
  /// The request that the machine received last; nil before the first one.
  var wish: OutputWish?
  /// The number of the content, which increases with each change of the visible content.
  var content = 0
  /// The time to which the deadline of its frame is postponed; nil if it is not postponed.
  var heldUntil: UInt64?
  /// The trouble that was logged last; nil if there is none. A retry with the same trouble or failure is not logged
  /// again until the output is lit.
  private var loggedTrouble: DisplayState?
  private var loggedFailures: Set<String> = []
  /// The number of the presented frame among the frames of its surface. The surface keeps the same count.
  var serial = 0
  /// The presentation that the settings determine for the monitor.
  var presentation: Presentation
  /// The mode change that is pending or being applied; normally nil.
  var pending: PendingMode?
  /// The content to show.
  var wanted: Shown?
  /// Whether `wanted` depends on what other outputs show.
  var isObserver = false
  /// The time from which the pages of `wanted` turn, in milliseconds since 1970.
  var since: Int64 = 0
  /// The time of the next change of the content without a request, in milliseconds since 1970; nil for never.
  var nextChange: Int64?
  /// The names of the live values in the frame that was rendered last, or is being rendered.
  var values: Set<String> = []
  /// The view that was prepared last, because it comes next.
  var ahead: View?
  /// The content that was offered to the render thread for the next frame of an animation; nil if none is.
  var offered: FrameOffer?
  /// The items of its playlists that are skipped: those of one round.
  var skipped: [SkippedStep] = []
  /// The buffer and damage of the frame that was rendered last.
  var frame: Painting.Frame?
  /// The last change that the frame gate handled.
  var permit: FramePermit.Event?
  /// The content of the frame that was rendered last; `showing` is the content of the presented frame.
  var painted = Showing()
  var showing = Showing()
  /// The animation on screen; nil if nothing moves.
  var moving: Moving?
  /// The number of missed animation frames; nil if nothing has moved yet.
  var missedFrames: Int?
  /// The largest number of consecutive missed frames.
  var missedInARow: Int?
  /// Whether the driver has vertical blanks, according to the last flip.
  var hasVBlank = false
  /// The time at which the next animation frame is rendered, by the control loop's clock.
  var animationDue: UInt64?
  /// The time at which the first frame after a modeset is compared with the rendered one, by the control loop's clock.
  var checkDue: UInt64?
  /// The time at which the next item of its playlist is prepared, by the control loop's clock.
  var aheadDue: UInt64?
  /// The open history entry for the presented content; nil if there is none.
  var entry: PresentedEntry?

  init(_ id: OutputID, _ connector: ConnectorSnapshot, _ presentation: Presentation, painter: Int, at now: Int64) {
    self.id = id
    firstConnector = connector
    identity = MonitorIdentity(connector)
    imageSize = connector.imageSize
    self.presentation = presentation
    self.painter = painter
    stateSince = now
  }

  /// Returns whether the log already contains a state: the same trouble, or a retry during trouble. Records the state
  /// for the next call.
  mutating func knows(_ state: DisplayState) -> Bool {
    if state == loggedTrouble || (state == .lighting && loggedTrouble?.darkness != nil) { return true }
    loggedTrouble = state.isTrouble ? state : nil
    if state == .lit { loggedFailures = [] }
    return false
  }

  /// Returns whether the log already contains a failure, and records it for the next call.
  mutating func knows(failure words: String) -> Bool {
    // The set is bounded. Failures with many different texts are not repetitions.
    if loggedFailures.count >= 64 { loggedFailures = [] }
    return !loggedFailures.insert(words).inserted
  }
}

/// The state of a card.
///
/// It is read many times for each event, so that its fields are in one allocation, which is copied when it is changed
/// while another copy exists.
struct CardRecord {
  private struct Fields {
    let id: CardID
    let path: String
    var machine: CardMachine
    var isPresent = true
    var outputs: [String: OutputRecord] = [:]
    var firstFrames: [Painting.SurfaceID: FirstFrame] = [:]
    var complaint: String?
    var lastMonitors: [String: String] = [:]
    var bare: [String: BareConnector] = [:]
  }

  private final class Storage {
    var fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  private var storage: Storage

  init(_ id: CardID, path: String, machine: CardMachine) {
    storage = Storage(Fields(id: id, path: path, machine: machine))
  }

  /// The fields, for changes.
  private var own: Fields {
    get { storage.fields }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
      yield &storage.fields
    }
  }

  var id: CardID { storage.fields.id }
  var path: String { storage.fields.path }
  /// The machine that makes its decisions.
  var machine: CardMachine {
    get { storage.fields.machine }
    _modify { yield &own.machine }
  }
  /// False once the card is gone.
  var isPresent: Bool {
    get { storage.fields.isPresent }
    _modify { yield &own.isPresent }
  }
  /// The outputs, by connector name.
  var outputs: [String: OutputRecord] {
    get { storage.fields.outputs }
    _modify { yield &own.outputs }
  }
  /// The first frames whose mode is not set yet.
  var firstFrames: [Painting.SurfaceID: FirstFrame] {
    get { storage.fields.firstFrames }
    _modify { yield &own.firstFrames }
  }
  /// The error of the last probe; nil if it succeeded.
  var complaint: String? {
    get { storage.fields.complaint }
    _modify { yield &own.complaint }
  }
  /// The labels of the monitors that were unplugged, by connector.
  var lastMonitors: [String: String] {
    get { storage.fields.lastMonitors }
    _modify { yield &own.lastMonitors }
  }
  /// The connectors without an output, by name.
  var bare: [String: BareConnector] {
    get { storage.fields.bare }
    _modify { yield &own.bare }
  }

  /// The driver's name; nil before the first probe.
  var driver: String? { storage.fields.machine.snapshot?.driver }

  /// Returns the state machine of an output; nil once its monitor is gone.
  func machine(of id: OutputID) -> OutputMachine? {
    storage.fields.outputs[id.name]?.id == id ? storage.fields.machine.outputs[id.name] : nil
  }

  /// Returns the mode of an output that is set or about to be set.
  func candidate(of id: OutputID) -> ModeChoice.Candidate? {
    storage.fields.outputs[id.name]?.id == id ? storage.fields.machine.candidate(of: id.name) : nil
  }

  /// The time of the machine's next deadline, in nanoseconds of CLOCK_MONOTONIC; nil if nothing changes without an
  /// event.
  var due: UInt64? {
    let isAnyHeld = outputs.values.contains { $0.heldUntil != nil }
    return machine.due(holding: isAnyHeld ? outputs.compactMapValues(\.heldUntil) : [:])
  }

  /// The state of the card now.
  var snapshot: CardState {
    CardState(
      path: path, driver: driver, connectors: machine.snapshot?.connectors ?? [], bare: bare,
      lastMonitors: lastMonitors)
  }
}

/// The first frame of a mode.
struct FirstFrame {
  let buffer: BufferID
  let showing: Showing
  let moving: Moving?
  /// The time of the next change of its content, in milliseconds since 1970; nil for never.
  let nextChange: Int64?
}

extension Showing {
  /// Creates the state of a display that shows a painted frame of a resolved scene, with the warnings of its layout.
  init(_ shown: Shown, _ moment: ResolvedScene, _ painted: Painting.Painted) {
    self.init(
      shown: shown, seen: moment.seen, place: moment.view.content.place,
      warnings: moment.warnings + painted.warnings, lostPictures: painted.lostPictures, extent: painted.extent,
      progress: moment.progress)
  }
}
