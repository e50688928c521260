package import Configuration
import Displays
import Logging
import Outputs
import Scenes

/// What each output should be: computed anew whenever something changes that it depends on.
extension Director {
  /// The state that an output should be in.
  func wish(of output: Output) -> OutputWish {
    OutputWish(
      policy: output.presentation.policy, sleepReason: isToSleep(output) ? sleepReason(output) : nil,
      content: output.content)
  }

  /// Has the machines act on what some outputs should be now.
  func follow(_ outputs: [Output]) {
    for (desk, outputs) in byCard(outputs) {
      var wishes: [String: OutputWish] = [:]
      for output in outputs where output.isIntroduced {
        let wish = wish(of: output)
        if wish != output.wish { wishes[output.name] = wish }
        output.wish = wish
      }
      if !wishes.isEmpty { feed(.wished(wishes), to: desk) }
    }
  }

  /// What the settings say of the monitors of outputs, and what was chosen for them, counts from now on.
  func adopt(_ outputs: [Output]) {
    for output in outputs { output.presentation = presentation(of: output) }
    changeAtOnce { store, _ in
      for output in outputs {
        let role = output.connector.kind.role ?? .external
        store.setTags(output.presentation.tags, role: role.rawValue, on: output.name)
      }
    }
  }

  /// Takes over new settings: looks change at once, modes where the choice is another one now. Messages stay, unless
  /// the settings name another one than they did before.
  package func apply(_ newSettings: Settings) async {
    environment.witness?.asked(newSettings)
    if newSettings.message != settings.message, let old = store.message(named: Message.shownName) {
      await change { store, _ in _ = try? store.withdraw(old.id) }
    }
    settings = newSettings
    zones.forget()
    adopt(outputs)
    for painter in painters { _ = await painter.renewFonts() }
    await redrawWithNewOptions(outputs)
    // What was dark may have a mode by the new rules.
    for desk in desks.values where desk.outputs.values.contains(where: { $0.crtc == nil }) { await reconcile(desk) }
    for desk in desks.values { await desk.idle() }
    await checkFonts()
  }

  /// Draws outputs by their new presentations, and sets their modes by them.
  func redrawWithNewOptions(_ outputs: [Output]) async {
    for output in outputs {
      for surface in output.surfaces {
        await output.painter.adjust(surface, to: surfaceOptions(for: output))
        await output.painter.forget(surface)
      }
    }
    // All at once: what changes together is one plan.
    refresh(outputs + observers(of: nil).filter { observer in !outputs.contains { $0 === observer } })
  }

  func surfaceOptions(for output: Output) -> Surface.Options {
    Surface.Options(rotation: output.turn, glyphBytes: settings.glyphCache)
  }

  /// Outputs by card, in the order of the outputs. Those that are gone are left out.
  func byCard(_ outputs: [Output]) -> [(desk: CardDesk, outputs: [Output])] {
    var cards: [(desk: CardDesk, outputs: [Output])] = []
    for output in outputs where output.isConnected {
      if let index = cards.firstIndex(where: { $0.desk === output.desk }) {
        cards[index].outputs.append(output)
      } else {
        cards.append((output.desk, [output]))
      }
    }
    return cards
  }
}
