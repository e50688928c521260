import Configuration
import Control
import Displays
import Geometry
import Outputs
import Scenes
import SeededRandom
import Testing
import VirtualDisplays

@testable import Director

/// Random operations, some of them concurrent: each display ends in the state that the session model requires.
struct ChanceTests {
  /// A request, a change of the hardware or of the time.
  private enum Operation {
    case plug(String, Size), unplug(String), hotplug, show(String, String?), post(MessageRequest), withdraw
    case open(String?), move(String), close, scroll, sleep(Bool, String?), hostSuspend(Bool), reload(Settings)
    case later(Int64), busy, mode(String, ModeRequest), confirm(String), reset(String)
  }

  @Test(arguments: 0..<8)
  func `displays show what the session model requires after random concurrent operations`(
    _ round: Int
  ) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let harness = Harness(crtcs: 3)
    await harness.start()
    for step in 0..<12 {
      let operations = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.operation(&random) }
      await withTaskGroup { group in
        for operation in operations { group.addTask { await Self.perform(operation, harness) } }
      }
      await harness.director.probeAll()
      await harness.rest()
      let faults = await harness.director.faults(harness)
      #expect(faults.isEmpty, "seed \(seed), step \(step), after \(operations): \(faults)")
      if !faults.isEmpty { return }
    }
    await harness.director.close()
    await harness.waitWhile { harness.card.liveBuffers > 0 }
    #expect(harness.openEntries.isEmpty, "seed \(seed)")
  }

  private static func operation(_ random: inout SeededGenerator) -> Operation {
    let name = ["Virtual-1", "Virtual-2", "Virtual-3", "eDP-1"].randomElement(using: &random) ?? "Virtual-1"
    let text = "\(Int.random(in: 0..<6, using: &random))"
    let isTrue = Bool.random(using: &random)
    switch Int.random(in: 0..<28, using: &random) {
    case 0...4:
      return .plug(name, [Size(320, 240), Size(400, 300)].randomElement(using: &random) ?? Size(320, 240))
    case 5...6: return .unplug(name)
    case 7: return .hotplug
    case 8...9: return .show(text, isTrue ? name : nil)
    case 10...12:
      let priority = Int.random(in: -1...1, using: &random)
      var request = MessageRequest(text: text, priority: priority, wait: isTrue)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: request.tag = "t"
      case 1: request.role = isTrue ? .internal : .external
      case 2: request.seconds = 5
      default: request.name = "n"
      }
      return .post(request)
    case 13...14: return .withdraw
    case 15: return .open(isTrue ? name : nil)
    case 16: return .move(name)
    case 17: return isTrue ? .close : .scroll
    case 18...19: return .sleep(isTrue, Bool.random(using: &random) ? name : nil)
    case 20: return .hostSuspend(isTrue)
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

  /// Performs an operation. A refused one counts as not performed.
  private static func perform(_ operation: Operation, _ harness: Harness) async {
    let director = harness.director
    switch operation {
    case .plug(let name, let size): _ = try? await harness.plug(size.width, size.height, into: name)
    case .unplug(let name): try? await director.unplug(name)
    case .hotplug: harness.card.hint()
    case .show(let text, let name): _ = try? await harness.show(text, on: name)
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
    case .hostSuspend(let isAsleep): await director.controllerSleeps(isAsleep)
    case .reload(let settings): await director.apply(settings)
    case .later(let seconds): harness.clock.now += seconds * 1000
    case .busy: harness.card.inject(.busyFlip, count: 1)
    case .mode(let name, let request): _ = try? await director.setMode(name, request)
    case .confirm(let name): _ = try? await director.confirmMode(name)
    case .reset(let name): _ = try? await director.resetMode(name)
    }
  }
}

extension Harness {
  /// The history's open entries by ID, one for each scene on screen.
  var openEntries: [Int: PresentedEntry] {
    var entries: [Int: PresentedEntry] = [:]
    for step in persistence.steps {
      switch step {
      case .began(let entry): entries[entry.id] = entry
      case .ended(let id, _): entries[id] = nil
      }
    }
    return entries
  }
}

extension Director {
  /// Returns the differences from the required state while the director is idle; empty if there are none.
  fileprivate func faults(_ harness: Harness) -> [String] {
    core.now = instant
    var faults = core.outputs.flatMap { self.faults(of: $0, harness) }
    let assigned = Set(core.store.profiles.compactMap(\.display))
    if assigned != Set(core.outputs.map(\.name)) { faults.append("monitor profiles on \(assigned)") }
    let kept = SessionModel.restored(from: harness.persistence.records, at: environment.wallClock())
    if !kept.warnings.isEmpty || kept.store.sessions != core.store.sessions
      || kept.store.messages != core.store.messages
    {
      faults.append("the stored records differ from the session model")
    }
    let changes = core.outputs.filter(\.isLit).compactMap(\.nextChange)
    let due = (changes + core.outputs.compactMap(\.pending?.until) + [core.store.nextExpiry].compactMap(\.self)).min()
    if timerDue != due {
      faults.append("the timer waits for \(String(describing: timerDue)), not \(String(describing: due))")
    }
    if waiting > 0 { faults.append("\(waiting) requests still wait") }
    let noted = harness.openEntries.values.map { "\($0.display) \($0.what)" }.sorted()
    let seen = core.outputs.filter { $0.isLit && $0.showing.words != nil }.map {
      "\($0.name) \(core.moment(of: $0).seen.summary)"
    }
    if noted != seen { faults.append("the history has \(noted) on screen, not \(seen)") }
    return faults
  }

  private func faults(of output: OutputRecord, _ harness: Harness) -> [String] {
    let isBright = harness.card.scanout(output.name) != nil
    if core.isToSleep(output.id) {
      return output.isAsleep && !isBright ? [] : ["\(output.name) does not sleep: \(output.state)"]
    }
    // The card has three CRTCs.
    if case .dark(_, let reason) = output.state {
      return core.outputs.count > 3 ? [] : ["\(output.name) is dark: \(reason)"]
    }
    let shown = core.shown(on: output)
    var faults: [String] = []
    if !isBright || !output.isLit { faults.append("\(output.name) is not lit: \(output.state)") }
    if output.pending.map({ $0.until == nil }) ?? false { faults.append("\(output.name) has a modeset without end") }
    if output.presentation != state.presentation(of: core.snapshot(of: output)) {
      faults.append("\(output.name) is presented as \(output.presentation)")
    }
    let candidate = core.candidate(of: output.id)
    if candidate?.mode != core.machine(of: output.id)?.choice?.mode {
      faults.append("\(output.name) has \(String(describing: candidate?.mode)), not the chosen mode")
    }
    if output.wanted != shown { faults.append("\(output.name) should show \(String(describing: output.wanted))") }
    if output.showing.shown != shown {
      faults.append("\(output.name) shows \(String(describing: output.showing.shown)), not \(shown)")
    }
    return faults
  }
}
