package import Configuration
import Displays
import Logging
import Outputs
import Scenes

/// The desired state of each output, recomputed whenever one of its inputs changes.
extension Director {
  /// Returns the state that an output should be in.
  func wish(of output: Output) -> OutputWish {
    state(of: [output]).wish(of: output.snapshot, content: output.content)
  }

  /// Passes the desired states of outputs to their machines, if they changed.
  func follow(_ outputs: [Output]) {
    let state = state(of: [])
    for (managed, outputs) in byCard(outputs) {
      var wishes: [String: OutputWish] = [:]
      for output in outputs where output.isIntroduced {
        let wish = state.wish(of: output.snapshot, content: output.content)
        if wish != output.wish { wishes[output.name] = wish }
        output.wish = wish
      }
      if !wishes.isEmpty { feed(.wished(wishes), to: managed) }
    }
  }

  /// Applies what the settings specify for the monitors of outputs, and what was chosen for the monitors.
  func adopt(_ outputs: [Output]) {
    let state = state(of: [])
    for output in outputs { output.presentation = state.presentation(of: output.snapshot) }
    changeAtOnce { store, _ in
      for output in outputs {
        let role = output.connector.kind.role ?? .external
        store.setTags(output.presentation.tags, role: role.rawValue, on: output.name)
      }
    }
  }

  /// Applies new settings.
  ///
  /// Styles change at once, and modes change if another one is chosen now. Messages stay, unless the settings name
  /// another message than before.
  ///
  /// - Parameter newSettings: The settings to apply.
  package func apply(_ newSettings: Settings) async {
    environment.observer?.asked(newSettings)
    if newSettings.message != settings.message, let old = store.message(named: Message.shownName) {
      await change { store, _ in _ = try? store.withdraw(old.id) }
    }
    settings = newSettings
    zones.forget()
    adopt(outputs)
    for painter in painters { _ = await painter.renewFonts() }
    await redrawWithNewOptions(outputs)
    // An output without a mode may get one under the new settings.
    for managed in managedCards.values where managed.outputs.values.contains(where: { $0.crtc == nil }) {
      await reconcile(managed)
    }
    for managed in managedCards.values { await managed.idle() }
    await checkFonts()
  }

  /// Redraws outputs with their current presentations, and sets their modes accordingly.
  func redrawWithNewOptions(_ outputs: [Output]) async {
    for output in outputs {
      for surface in output.surfaces {
        await output.painter.adjust(surface, to: surfaceOptions(for: output))
        await output.painter.forget(surface)
      }
    }
    // All outputs are passed in one call, so that simultaneous changes become one plan.
    refresh(outputs + observers(of: nil).filter { observer in !outputs.contains { $0 === observer } })
  }

  func surfaceOptions(for output: Output) -> Surface.Options {
    Surface.Options(rotation: output.turn, glyphBytes: settings.glyphCache)
  }

  /// Returns outputs grouped by card, in the order of the outputs. Outputs that are gone are left out.
  func byCard(_ outputs: [Output]) -> [(managed: ManagedCard, outputs: [Output])] {
    var cards: [(managed: ManagedCard, outputs: [Output])] = []
    for output in outputs where output.isConnected {
      if let index = cards.firstIndex(where: { $0.managed === output.managed }) {
        cards[index].outputs.append(output)
      } else {
        cards.append((output.managed, [output]))
      }
    }
    return cards
  }
}
