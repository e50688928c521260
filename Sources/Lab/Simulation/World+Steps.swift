import Configuration
import Control
import Director
import Displays
import Geometry
import SimulatedTime
import Scenes
import VirtualDisplays

/// The steps of a history.
extension World {
  /// Carries out a step, and the work that follows from it or a part of that work.
  func perform(_ step: Step) {
    count(step.kind.rawValue)
    switch step.kind {
    case .plug, .unplug, .blink, .swap, .hint, .loseCard, .returnCard: changeHardware(step)
    case .callFault, .refuseSize, .loseFlip, .takeMaster, .giveMaster, .holdFlips, .releaseFlips: breakHardware(step)
    case .fullDisk: set(.full)
    case .failingWrites: set(.failingWrites)
    case .failingSyncs: set(.failingSyncs)
    case .healDisk: set(nil)
    case .jump, .suspend, .controllerSleep, .controllerWake, .reload: changeMachine(step)
    case .kill, .cutPower:
      note("\(step.kind)")
      clock.drain(most: step.below(30))
      end(isKilled: true, cutsPower: step.kind == .cutPower)
      start()
    case .stop:
      note("stop")
      end(isKilled: false, cutsPower: false)
      start()
    case .wait: advance(milliseconds: step.below(2_000))
    case .waitLong: advance(milliseconds: step.below(400_000))
    case .settle: settle()
    default: ask(step)
    }
    // Often the next step comes in the middle of the work for this one.
    if step.below(3, 9) == 0 { clock.drain(most: step.below(12, 8)) } else { clock.drain() }
  }

  func advance(milliseconds: Int) {
    let end = clock.time + UInt64(milliseconds) * 1_000_000
    if !clock.run(until: end, most: 100_000) { violate("there is no end of timers") }
  }

  private func set(_ fault: SimulatedDisk.Fault?) {
    note(fault.map { "the disk: \($0)" } ?? "the disk works")
    disk.set(fault)
  }

  // MARK: Hardware

  private func changeHardware(_ step: Step) {
    let path = step.choose(Self.paths, 1)
    let connector = step.choose(Self.connectors[path] ?? [], 2)
    guard let card = cards[path] else {
      if step.kind == .returnCard { bringBack(path) }
      return
    }
    switch step.kind {
    case .plug: plug(connector, step.choose(freeMonitors, 3), card)
    case .unplug: unplug(connector, card)
    case .blink:
      guard let monitor = plugged[connector] else { return }
      unplug(connector, card)
      clock.drain(most: step.below(20, 4))
      plug(connector, monitor, card)
    case .swap:
      let other = step.choose(Self.connectors[path] ?? [], 3)
      guard let first = plugged[connector], let second = plugged[other], first != second else { return }
      unplug(connector, card)
      unplug(other, card)
      plug(connector, second, card)
      plug(other, first, card)
    case .hint: card.hint(step.below(2, 4) == 0 ? connector : nil)
    case .loseCard:
      note("\(path) is pulled")
      for connector in Self.connectors[path] ?? [] { changes[connector] = clock.time }
      cards[path] = nil
      heldCards.remove(path)
      card.lose()
    default: return
    }
  }

  private var freeMonitors: [Int?] {
    let free = Self.monitors.indices.filter { !plugged.values.contains($0) }
    return free.isEmpty ? [nil] : free
  }

  private func plug(_ connector: String, _ monitor: Int?, _ card: VirtualCard) {
    guard let monitor, plugged[connector] != monitor else { return }
    note("plug monitor \(monitor) into \(connector)")
    plugged[connector] = monitor
    changes[connector] = clock.time
    card.plug(Self.monitors[monitor], into: connector)
  }

  private func unplug(_ connector: String, _ card: VirtualCard) {
    guard plugged.removeValue(forKey: connector) != nil else { return }
    note("unplug \(connector)")
    changes[connector] = clock.time
    card.unplug(connector)
  }

  private func bringBack(_ path: String) {
    note("\(path) is back")
    for connector in Self.connectors[path] ?? [] { changes[connector] = clock.time }
    let card = makeCard(path)
    cards[path] = card
    life?.source.continuation.yield(.ready(card))
  }

  private func breakHardware(_ step: Step) {
    let path = step.choose(Self.paths, 1)
    guard let card = cards[path] else { return }
    switch step.kind {
    case .callFault:
      let call = step.choose(VirtualCall.allCases, 2)
      let reason = step.choose(CardError.Reason.allCases.filter { $0 != .gone }, 3)
      note("\(path): \(call) fails with \(reason)")
      count("\(call.rawValue) fails: \(reason)")
      card.inject(.fail(call, reason), after: step.below(3, 4), count: step.below(3, 5) + 1)
      faults.append((card, .fail(call, reason)))
    case .refuseSize:
      let fault = VirtualFault.refuseSize(step.choose(Self.monitors, 2).modes[0].size)
      note("\(path): \(fault)")
      card.inject(fault, count: 2)
      faults.append((card, fault))
    case .loseFlip:
      note("\(path): a flip is lost")
      card.inject(.swallowFlip, after: step.below(3, 4), count: 1)
      faults.append((card, .swallowFlip))
    case .takeMaster, .giveMaster:
      note("\(path): \(step.kind)")
      card.setMaster(step.kind == .giveMaster)
    case .holdFlips:
      note("\(path): no vertical blanks")
      heldCards.insert(path)
    default: release(path)
    }
  }

  func release(_ path: String) {
    guard let card = cards[path], heldCards.remove(path) != nil else { return }
    note("\(path): vertical blanks again")
    wantVBlank(card)
  }

  // MARK: Machine

  private func changeMachine(_ step: Step) {
    guard let life else { return }
    switch step.kind {
    case .jump:
      let lead = step.choose([-86_400_000, -3_600_000, -1000, 1000, 3_600_000, 86_400_000, 2_592_000_000], 1)
      note("the clock is set by \(lead) ms")
      wallLead += Int64(lead)
      tell { await $0.clockWasSet() }
    case .suspend:
      let length = Int64(step.below(80_000_000, 1))
      note("the machine is suspended for \(length) ms")
      tell { await $0.controllerSleeps(true) }
      advance(milliseconds: step.below(300, 2))
      wallLead += length
      bootLead += length
      tell {
        await $0.controllerSleeps(false)
        await $0.clockWasSet()
      }
    case .controllerSleep, .controllerWake:
      note("\(step.kind)")
      tell { [kind = step.kind] in await $0.controllerSleeps(kind == .controllerSleep) }
    default:
      settings.message = "Ground \(step.below(3, 1))"
      note("reload: message \(settings.message ?? "")")
      guard life.isOpen else { return }
      // Another message in the settings ends the one that was shown instead.
      let number = expectations.begin(.message(Message.shownName), nil)
      tell { [unowned self, settings] in
        await $0.apply(settings)
        if !life.isOver { expectations.doubt(number, of: .message(Message.shownName)) }
      }
    }
  }

  /// Has the service do something that no client waits for.
  private func tell(_ body: @escaping @Sendable (Director) async -> Void) {
    guard let life, life.isOpen else { return }
    life.requests += 1
    Task {
      await body(life.director)
      life.requests -= 1
    }
  }
}
