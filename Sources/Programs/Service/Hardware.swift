import Configuration
import Displays
import Geometry
import KMS
import Logging
import Recording
import SystemCalls
import Uevents
import VirtualDisplays

/// The cards that the settings select.
struct Hardware {
  let source: any CardSource
  let simulator: (any MonitorSimulator)?
  private let supervisor: CardSupervisor?
  private let recorder: Recorder?
  private let loops: Loops
  private let logger: Logger

  private static func recorded(_ source: any CardSource, _ recorder: Recorder?) -> any CardSource {
    guard let recorder else { return source }
    return RecordingSource(source, recorder: recorder)
  }

  /// Selects real cards or a virtual one; `auto` prefers real cards if there are any.
  init(_ settings: Settings, _ loops: Loops, _ logger: Logger, _ recorder: Recorder?) {
    self.recorder = recorder
    self.loops = loops
    self.logger = logger
    let isReal = settings.backend == .kms || settings.backend == .auto && CardSupervisor.hasDisplayCards()
    if isReal {
      let supervisor = CardSupervisor(
        loop: loops.control, workers: loops.blocking, flips: loops.flips, isAtomicAllowed: settings.isAtomicAllowed,
        logger: logger)
      self.supervisor = supervisor
      source = Self.recorded(supervisor, recorder)
      simulator = nil
    } else {
      let card = VirtualCard(clock: SystemClock.monotonicNanoseconds)
      _ = card.plug(Size(1920, 1080), into: nil)
      logger.info("no real cards: one virtual monitor of 1920x1080")
      supervisor = nil
      source = Self.recorded(VirtualSource(card), recorder)
      simulator = card
    }
  }

  /// Opens a uevent socket and returns its listener, or nil for virtual cards, which change only by command.
  func listener() -> HotplugListener? { supervisor == nil ? nil : HotplugListener(logger: logger) }

  /// Handles the events that the listener has received since its creation, and all later ones.
  func follow(_ listener: consuming HotplugListener?) {
    guard let supervisor, let listener else { return }
    let hints = listener.hints(on: loops.control, pollingOn: loops.blocking[0])
    guard let recorder else {
      Task { await supervisor.follow(hints) }
      return
    }
    let (hotplugs, teller) = AsyncStream.makeStream(of: HotplugEvent.self, bufferingPolicy: .bufferingNewest(16))
    Task {
      for await hint in hints {
        recorder.heard(hint: "\(hint)")
        if case .dropped = teller.yield(hint) { teller.yield(.overflow) }
      }
      teller.finish()
    }
    Task { await supervisor.follow(hotplugs) }
  }
}
