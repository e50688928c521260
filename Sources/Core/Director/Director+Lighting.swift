package import Configuration
import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

/// An output of a plan: the modes to try, best first.
struct ModeLadder {
  let output: Output
  let candidates: [ModeChoice.Candidate]

  init(_ output: Output, _ candidates: [ModeChoice.Candidate]) {
    self.output = output
    self.candidates = candidates
  }
}

extension Director {
  /// Chooses modes for outputs that have a CRTC, and lights them by one plan.
  ///
  /// - Parameters:
  ///   - desk: The card of the outputs.
  ///   - outputs: The outputs. One without a CRTC is left alone.
  ///   - mustSet: True to set also a mode that is set already.
  func light(_ desk: CardDesk, _ outputs: [Output], mustSet: Bool = false) async {
    await plan(desk) {
      outputs.compactMap { output in output.crtc.flatMap { ladder(for: output, on: $0, mustSet: mustSet) } }
    }
    await putToSleep(desk, outputs)
  }

  /// Tries modes for one output, best first, until the card accepts one.
  func climb(_ desk: CardDesk, _ output: Output, from ladder: [ModeChoice.Candidate]) async {
    await plan(desk) { [ModeLadder(output, ladder)] }
    await putToSleep(desk, [output])
  }

  /// Chooses the modes for an output, and gives it a CRTC.
  ///
  /// - Returns: The modes; nil if the output is lit with the best one, is to sleep, is gone or has none.
  func ladder(for output: Output, on crtc: UInt32, mustSet: Bool) -> ModeLadder? {
    guard desk(of: output) != nil, !isToSleep(output) else { return nil }
    let connector = output.connector
    do throws(NoUsableMode) {
      let choice = try output.presentation.policy.choose(
        from: connector.modes, isEDIDPresent: connector.hasSoundEDID)
      output.choice = choice
      if output.crtc == crtc, output.candidate?.mode == choice.mode, output.state.reason == nil, !mustSet { return nil }
      output.attempts.begin()
      output.crtc = crtc
      return ModeLadder(output, choice.candidates)
    } catch {
      darken(output, .noMode, because: "\(error)")
      return nil
    }
  }

  /// Frees every surface of the output, and with them their buffers.
  func unmountAll(_ output: Output) async {
    let surfaces = output.retired + [output.surface, output.firstFrame?.surface].compactMap(\.self)
    output.retired = []
    output.surface = nil
    output.firstFrame = nil
    for surface in surfaces { await output.painter.unmount(surface) }
  }

  func isCurrent(_ output: Output, of desk: CardDesk) -> Bool { self.desk(of: output) === desk }

  /// What the settings say of an output's monitor, and what was chosen for it, counts from now on.
  func adopt(_ output: Output) {
    output.presentation = presentation(of: output)
    let role = output.connector.kind.role ?? .external
    changeAtOnce { store, _ in store.setTags(output.presentation.tags, role: role.rawValue, on: output.name) }
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
    for output in outputs { adopt(output) }
    for painter in painters { _ = await painter.renewFonts() }
    await applySettings(to: outputs)
    // What was dark may have a mode by the new rules.
    for desk in desks.values where desk.outputs.values.contains(where: { $0.crtc == nil }) { await reconcile(desk) }
    await checkFonts()
  }

  /// Brings the modes and rotations of outputs in line with their presentations.
  func applySettings(to outputs: [Output], isAnotherMode: Bool = true) async {
    if isAnotherMode {
      for (desk, outputs) in byCard(outputs) { await light(desk, outputs) }
    }
    for output in outputs {
      for surface in [output.surface, output.firstFrame?.surface].compactMap(\.self) {
        await output.painter.adjust(surface, to: surfaceOptions(for: output))
        await output.painter.forget(surface)
      }
      if desk(of: output) != nil { redraw(output) }
    }
  }

  func surfaceOptions(for output: Output) -> Surface.Options {
    Surface.Options(rotation: output.turn, glyphBytes: settings.glyphCache)
  }

  /// Outputs by card, in the order of the outputs. Those that are gone are left out.
  func byCard(_ outputs: [Output]) -> [(desk: CardDesk, outputs: [Output])] {
    var cards: [(desk: CardDesk, outputs: [Output])] = []
    for output in outputs {
      guard let desk = desk(of: output) else { continue }
      if let index = cards.firstIndex(where: { $0.desk === desk }) {
        cards[index].outputs.append(output)
      } else {
        cards.append((desk, [output]))
      }
    }
    return cards
  }
}

/// The reason that an output could not be lit with a mode.
enum LightError: Error, CustomStringConvertible {
  case card(CardError)
  case text(TypesettingError)
  /// The monitor was unplugged, or another program became DRM master.
  case unplugged

  /// The reason that the display is dark if nothing is left to try.
  var darkness: Darkness {
    switch self {
    case .card(let error): error.reason.darkness
    case .text, .unplugged: .failed
    }
  }

  var description: String {
    switch self {
    case .card(let error): "\(error)"
    case .text(let error): "\(error)"
    case .unplugged: "the monitor was unplugged"
    }
  }
}

extension CardError.Reason {
  fileprivate var darkness: Darkness {
    switch self {
    case .refused: .refused
    case .notMaster: .noMaster
    case .busy: .busy
    case .gone, .other: .failed
    }
  }
}
