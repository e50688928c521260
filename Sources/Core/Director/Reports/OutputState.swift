import Configuration
import Control
import Displays
import Geometry
import Outputs
import Scenes

/// The content of a frame.
struct Showing: Equatable {
  /// The requested scene with its source; nil if there is none yet.
  var shown: Shown?
  /// The scene that is visible of it; nil if there is none yet.
  var seen: ShownScene?
  /// The place in the text that is visible; nil for content without pages.
  var place: Place?
  /// The warnings for people about how the scene is shown.
  var warnings: [String] = []
  /// The subset of `warnings` about images that are not shown.
  var lostPictures: [String] = []
  var extent = Extent()
  /// The steps of playlists and schedules that the content is at.
  var progress = SceneProgress()

  var source: Shown.Source? { shown?.source }

  /// The numbers of pages of the texts in zones beside the main scene, by the steps that lead to them.
  var zonePages: [[SceneStep]: Int] {
    Dictionary(zip(progress.paths.dropFirst(), extent.zonePages)) { first, _ in first }
  }

  /// The visible content in one line, for a banner its text; nil for none.
  var words: String? {
    guard let shown, let seen, shown.source != .fallback || shown.scene.text != "" else { return nil }
    return seen.words + page
  }

  /// The summary of the visible content in one line; nil if there is none yet.
  var summary: String? { seen.map { $0.summary + page } }

  /// The suffix with the page number, for a text that has several pages.
  private var page: String {
    guard let place, extent.pages > 1 else { return "" }
    return ", page \(extent.page(at: place) + 1) of \(extent.pages)"
  }
}

/// A connected monitor at one time.
///
/// It is made for each output at each event, so it shares the core's record instead of copying its fields.
struct OutputState {
  /// The core's record of the monitor.
  var record: OutputRecord
  /// The record of its card; nil once that is gone.
  var cardRecord: CardRecord?

  /// The path of the card's device node.
  var card: String { cardRecord?.path ?? "" }
  /// The driver of the card; nil before its first probe.
  var driver: String? { cardRecord?.driver }
  /// The connector, as of the last probe or of the first one.
  var connector: ConnectorSnapshot { cardRecord?.machine(of: record.id)?.connector ?? record.firstConnector }
  /// The mode that is set or about to be set.
  var candidate: ModeChoice.Candidate? { cardRecord?.candidate(of: record.id) }
  /// The choice that the mode policy made last.
  var choice: ModeChoice? { cardRecord?.machine(of: record.id)?.choice }
  /// The results of the last attempts to set modes.
  var attempts: Attempts { cardRecord?.machine(of: record.id)?.attempts ?? Attempts() }
  /// The connector's name.
  var name: String { record.name }
  var identity: MonitorIdentity { record.identity }
  var state: DisplayState { record.state }
  /// The start time of `state`, in milliseconds since 1970.
  var since: Int64 { record.stateSince }
  /// The presentation that the settings determine for the monitor, with what was chosen for it.
  var presentation: Presentation { record.presentation }
  /// The mode change that is pending or being applied; normally nil.
  var pending: PendingMode? { record.pending }
  /// The content to show; nil if it is not known yet.
  var wanted: Shown? { record.wanted }
  /// The time from which the pages of `wanted` turn, in milliseconds since 1970.
  var turning: Int64 { record.since }
  /// The content of the presented frame.
  var showing: Showing { record.showing }
  /// The steps of playlists and schedules of the frame that was rendered last, if it shows `wanted`.
  var progress: SceneProgress { record.progress }
  /// The items of its playlists that are skipped.
  var skipped: [SkippedStep] { record.skipped }
  /// The names of the live values in the frame that was rendered last.
  var values: Set<String> { record.values }
  /// The number of missed animation frames; nil if nothing has moved yet.
  var missedFrames: Int? { record.missedFrames }
  /// The largest number of consecutive missed frames.
  var missedInARow: Int? { record.missedInARow }

  var isLit: Bool { state == .lit }

  var isAsleep: Bool { state.darkness == .asleep }

  /// The role; a connector without one counts as external.
  var role: Role { connector.kind.role ?? .external }

  /// The rotation of frames in the framebuffer: the requested one, plus that of a panel that is mounted rotated.
  var turn: Rotation { presentation.rotation + connector.orientation }
}

/// A card at one time.
struct CardState {
  /// The path of the card's device node.
  var path: String
  /// The driver's name; nil before the first probe.
  var driver: String?
  /// The connectors that the last probe found.
  var connectors: [ConnectorSnapshot] = []
  /// The connectors without an output, by name.
  var bare: [String: BareConnector] = [:]
  /// The labels of the monitors that were unplugged, by connector.
  var lastMonitors: [String: String] = [:]
}

/// The state of a connector without an output.
struct BareConnector {
  var state: DisplayState
  /// The start time of `state`, in milliseconds since 1970.
  var since: Int64
}

/// A display whose card is gone, with its last report.
struct LostDisplay {
  var report: DisplayReport
  /// The monitor's identity.
  var monitor: String
}
