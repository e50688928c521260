import Displays
import Outputs
import Scenes

extension Director {
  /// The state of the whole service now.
  var state: ServiceState { state(of: outputs, on: Array(managedCards.values)) }

  /// Returns the state with some of the outputs and cards, for code that runs on each frame and does not depend on the
  /// others.
  func state(of outputs: [Output], on cards: [ManagedCard] = []) -> ServiceState {
    ServiceState(
      facts: facts, settings: settings, store: store, hold: controllerHold, outputs: outputs.map(\.snapshot),
      cards: cards.map(\.snapshot), unopened: unopened, lost: lost, losses: losses, address: address, zones: zones,
      now: environment.wallClock())
  }
}

extension Output {
  /// The state of the output now.
  var snapshot: OutputState {
    OutputState(
      name: name, card: managed.card.path, driver: managed.machine.snapshot?.driver, connector: connector,
      identity: identity, state: state, since: stateSince, presentation: presentation, pending: pending,
      wanted: wanted, turning: since, showing: showing, candidate: candidate, choice: choice, attempts: attempts,
      missedFrames: missedFrames, missedInARow: missedInARow)
  }
}

extension ManagedCard {
  /// The state of the card now.
  var snapshot: CardState {
    let probed = machine.snapshot
    return CardState(
      path: card.path, driver: probed?.driver, connectors: probed?.connectors ?? [], bare: bare,
      lastMonitors: lastMonitors)
  }
}

extension Showing {
  /// Creates the state of a display that shows a painted frame of a resolved scene, with the warnings of its layout.
  init(_ shown: Shown, _ moment: ResolvedScene, _ painted: Painter.Painted) {
    self.init(
      shown: shown, seen: moment.seen, place: moment.view.content.place,
      warnings: moment.warnings + painted.warnings, lostPictures: painted.lostPictures, extent: painted.extent)
  }
}
