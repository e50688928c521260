import Configuration
import Displays
import Geometry
import KMS
import Logging
import Uevents
import VirtualDisplays

/// The cards that the settings ask for.
struct Hardware {
  let source: any CardSource
  let simulator: (any MonitorSimulator)?
  private let supervisor: CardSupervisor?
  private let loops: Loops
  private let logger: Logger

  /// Real cards, or one in memory; `auto` takes the real ones if there are any.
  init(_ settings: Settings, _ loops: Loops, _ logger: Logger) {
    self.loops = loops
    self.logger = logger
    let isReal = settings.backend == .kms || settings.backend == .auto && CardSupervisor.hasDisplayCards()
    if isReal {
      let supervisor = CardSupervisor(
        loop: loops.control, worker: loops.blocking, isAtomicAllowed: settings.isAtomicAllowed, logger: logger)
      self.supervisor = supervisor
      source = supervisor
      simulator = nil
    } else {
      let card = VirtualCard(clock: Clock.monotonic)
      _ = card.plug(Size(1920, 1080), into: nil)
      logger.info("no real cards: one virtual monitor of 1920x1080")
      supervisor = nil
      source = VirtualSource(card)
      simulator = card
    }
  }

  /// A listener whose socket is open; nil where nothing can be plugged in but by command.
  func listener() -> HotplugListener? { supervisor == nil ? nil : HotplugListener(logger: logger) }

  /// Acts on what the listener heard since its making, and on what comes.
  func follow(_ listener: consuming HotplugListener?) {
    guard let supervisor, let listener else { return }
    let hints = listener.hints(on: loops.control)
    Task { await supervisor.follow(hints) }
  }
}
