import Configuration
import Control
import Displays
import Geometry
import Scenes
import SeededRandom
import Testing
import VirtualDisplays

@testable import Director

/// Whatever comes, in whatever order and at the same time: each display ends as the store says.
struct ChanceTests {
  /// What somebody, or the world, does.
  private enum Deed {
    case plug(String, Size), unplug(String), hint, show(String, String?), post(MessageRequest), withdraw, open(String?)
    case move(String), close, scroll, sleep(Bool, String?), machineSleeps(Bool), reload(Settings), later(Int64), busy
    case mode(String, ModeRequest), confirm(String), reset(String)
  }

  @Test(arguments: 0..<8) func `displays show what the store says after any deeds at once`(_ round: Int) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let rig = Rig(crtcs: 3)
    await rig.start()
    for step in 0..<12 {
      let deeds = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.deed(&random) }
      await withTaskGroup { group in
        for deed in deeds { group.addTask { await Self.act(deed, rig) } }
      }
      await rig.director.lookAtAll()
      await rig.rest()
      let faults = await rig.director.faults(rig)
      #expect(faults.isEmpty, "seed \(seed), step \(step), after \(deeds): \(faults)")
      if !faults.isEmpty { return }
    }
    await rig.director.close()
    await rig.waitWhile { rig.card.liveBuffers > 0 }
    #expect(rig.openEntries.isEmpty, "seed \(seed)")
  }

  private static func deed(_ random: inout SeededGenerator) -> Deed {
    let name = ["Virtual-1", "Virtual-2", "Virtual-3", "eDP-1"].randomElement(using: &random) ?? "Virtual-1"
    let text = "\(Int.random(in: 0..<6, using: &random))"
    let isTrue = Bool.random(using: &random)
    switch Int.random(in: 0..<28, using: &random) {
    case 0...4:
      return .plug(name, [Size(320, 240), Size(400, 300)].randomElement(using: &random) ?? Size(320, 240))
    case 5...6: return .unplug(name)
    case 7: return .hint
    case 8...9: return .show(text, isTrue ? name : nil)
    case 10...12:
      let priority = Int.random(in: -1...1, using: &random)
      var request = MessageRequest(text: text, priority: priority, wait: isTrue)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: request.tag = "t"
      case 1: request.role = isTrue ? "internal" : "external"
      case 2: request.seconds = 5
      default: request.name = "n"
      }
      return .post(request)
    case 13...14: return .withdraw
    case 15: return .open(isTrue ? name : nil)
    case 16: return .move(name)
    case 17: return isTrue ? .close : .scroll
    case 18...19: return .sleep(isTrue, Bool.random(using: &random) ? name : nil)
    case 20: return .machineSleeps(isTrue)
    case 21:
      let wishes = DisplayRequests(scene: isTrue ? .banner(text) : Scene(.clock(Clock(zone: "UTC"))), tags: ["t"])
      return .reload(Settings(policy: isTrue ? .legible : .native, message: "Hello", roles: [.external: wishes]))
    case 22: return .later(Int64.random(in: -10...10, using: &random))
    case 23...24:
      let mode = [nil, "native", "320x240", "320x240@60"].randomElement(using: &random) ?? nil
      let rotation = [nil, 0, 90, 180].randomElement(using: &random) ?? nil
      return .mode(name, ModeRequest(mode: mode, rotation: rotation, keep: isTrue))
    case 25: return .confirm(name)
    case 26: return .reset(name)
    default: return .busy
    }
  }

  /// What is refused is refused: the deed is as good as not done.
  private static func act(_ deed: Deed, _ rig: Rig) async {
    let director = rig.director
    switch deed {
    case .plug(let name, let size): _ = try? await rig.plug(size.width, size.height, into: name)
    case .unplug(let name): try? await director.unplug(name)
    case .hint: rig.card.hint()
    case .show(let text, let name): _ = try? await rig.show(text, on: name)
    case .post(let request): _ = try? await director.post(request)
    case .withdraw: if let id = await director.messages().first?.id { try? await director.withdraw(id) }
    case .open(let name):
      let scene = Scene(.mirror(of: "Virtual-1")).document
      _ = try? await director.open(OpenRequest(scene: scene, display: name, tag: "t", wait: name != nil))
    case .move(let name):
      if let id = await director.sessions().compactMap(\.id).first { _ = try? await director.move(id, to: name) }
    case .close: if let id = await director.sessions().compactMap(\.id).first { try? await director.close(id) }
    case .scroll:
      if let id = await director.sessions().compactMap(\.id).first { _ = try? await director.scroll(id, .page(1)) }
    case .sleep(let isAsleep, let name):
      _ = try? await director.setAsleep(SleepRequest(asleep: isAsleep, display: name))
    case .machineSleeps(let isAsleep): await director.controllerSleeps(isAsleep)
    case .reload(let settings): await director.apply(settings)
    case .later(let seconds): rig.clock.now += seconds * 1000
    case .busy: rig.card.inject(.busyFlip, count: 1)
    case .mode(let name, let request): _ = try? await director.setMode(name, request)
    case .confirm(let name): _ = try? await director.confirmMode(name)
    case .reset(let name): _ = try? await director.resetMode(name)
    }
  }
}

extension Rig {
  /// What the history says is on a glass now, by display.
  var openEntries: [Int: PresentedEntry] {
    var entries: [Int: PresentedEntry] = [:]
    for step in keeper.steps {
      switch step {
      case .began(let entry): entries[entry.id] = entry
      case .ended(let id, _): entries[id] = nil
      }
    }
    return entries
  }
}

extension Director {
  /// What is not as it must be when nothing is under way; nothing where all is well.
  fileprivate func faults(_ rig: Rig) -> [String] {
    var faults = outputs.flatMap { self.faults(of: $0, rig) }
    let seated = Set(store.profiles.compactMap(\.display))
    if seated != Set(outputs.map(\.name)) { faults.append("seats on \(seated)") }
    let kept = SessionModel.restored(from: rig.keeper.records, at: environment.wallClock())
    if !kept.warnings.isEmpty || kept.store.sessions != store.sessions || kept.store.messages != store.messages {
      faults.append("what is kept is not what is")
    }
    let changes = outputs.filter(\.isLit).compactMap(\.nextChange)
    let due = (changes + outputs.compactMap(\.trial?.until) + [store.nextExpiry].compactMap(\.self)).min()
    if timerDue != due {
      faults.append("the timer waits for \(String(describing: timerDue)), not \(String(describing: due))")
    }
    if waiting > 0 { faults.append("\(waiting) still wait") }
    let noted = rig.openEntries.values.map { "\($0.display) \($0.what)" }.sorted()
    let seen = outputs.filter { $0.isLit && $0.showing.words != nil }.map {
      "\($0.name) \(moment(of: $0).seen.summary)"
    }
    if noted != seen { faults.append("the history has \(noted) on the glass, not \(seen)") }
    return faults
  }

  private func faults(of output: Output, _ rig: Rig) -> [String] {
    let isBright = rig.card.glass(output.name) != nil
    if isToSleep(output) {
      return output.isAsleep && !isBright ? [] : ["\(output.name) does not sleep: \(output.state)"]
    }
    // Three displays is all that the card can light.
    if case .dark(_, let reason) = output.state {
      return outputs.count > 3 ? [] : ["\(output.name) is dark: \(reason)"]
    }
    let shown = shown(on: output)
    var faults: [String] = []
    if !isBright || !output.isLit { faults.append("\(output.name) is not lit: \(output.state)") }
    if output.trial.map({ $0.until == nil }) ?? false { faults.append("\(output.name) is being set for ever") }
    if output.presentation != presentation(of: output) {
      faults.append("\(output.name) is presented as \(output.presentation)")
    }
    if output.candidate?.mode != output.choice?.mode {
      faults.append("\(output.name) has \(String(describing: output.candidate?.mode)), not what was chosen")
    }
    if output.wanted != shown { faults.append("\(output.name) is to show \(String(describing: output.wanted))") }
    if output.showing.shown != shown {
      faults.append("\(output.name) shows \(String(describing: output.showing.shown)), not \(shown)")
    }
    return faults
  }
}
