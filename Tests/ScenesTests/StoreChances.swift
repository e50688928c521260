import Geometry
import Scenes
import SeededRandom

/// A random operation on the session model.
enum StoreStep {
  case plug(String, monitor: String)
  /// Two monitors swap ports.
  case swap(String, String)
  case unplug(String)
  case open(Int, tag: String?, display: String?)
  case close(Int)
  case move(Int, display: String)
  case scroll(Int)
  case edit(Int, Int)
  /// Sets a board with a card `a` of this number; 0 removes the card.
  case board(Int)
  case post(Int, name: String?, Message.Target, priority: Int, seconds: Int64?, acknowledge: Bool)
  case withdraw(Int)
  case acknowledge(Int)
  /// Moves the clock forward or back by milliseconds and expires messages.
  case wait(Int64)
  case sleep(String, Bool)
  case choose(String, MonitorChoice)
  /// Writes the changes and restores the session model from the records.
  case restart
  case prune(profiles: Int)

  static let displays = ["DP-1", "DP-2", "HDMI-A-1", "eDP-1"]
  /// The monitors; T has a twin with the same identity.
  static let monitors = ["A", "B", "T", "T"]
  private static let tags: [String?] = [nil, nil, "lift", "lobby", "card:a"]
  private static let targets: [Message.Target] = [
    .all, .all, .role("external"), .role("internal"), .display("DP-1"), .display("DP-2"), .tag("lift"), .tag("A"),
  ]

  /// Returns a random step that fits the session model.
  static func random(in store: SessionModel, _ chance: inout SeededGenerator) -> StoreStep {
    let display = chance.pick(displays)
    switch chance.below(37) {
    case 0...5: return .plug(display, monitor: display == "eDP-1" ? "I" : chance.pick(monitors))
    case 6: return .swap(displays[chance.below(3)], displays[chance.below(3)])
    case 7...10: return .unplug(display)
    case 11...15: return .open(chance.below(4), tag: chance.pick(tags), display: chance.once(in: 2) ? nil : display)
    case 16: return .close(session(in: store, &chance))
    case 17, 18: return .move(session(in: store, &chance), display: display)
    case 19: return .scroll(session(in: store, &chance))
    case 20...23:
      return .post(
        chance.below(9), name: chance.once(in: 3) ? "show" : nil, chance.pick(targets), priority: chance.below(3) - 1,
        seconds: chance.once(in: 2) ? nil : Int64(chance.below(60)), acknowledge: chance.once(in: 2))
    case 24: return .withdraw(message(in: store, &chance))
    case 25: return .acknowledge(message(in: store, &chance))
    case 26, 27: return .wait(Int64(chance.below(40_000)) - 10_000)
    case 28, 29: return .sleep(display, !chance.once(in: 3))
    case 30: return chance.once(in: 4) ? .prune(profiles: chance.below(4)) : .unplug(display)
    case 31: return .edit(session(in: store, &chance), chance.below(4))
    case 32, 33: return .board(chance.below(4))
    case 34, 35:
      let choice = MonitorChoice(
        mode: chance.pick([nil, "native", "1920x1080@60"]), rotation: chance.pick([nil, Rotation.none, .quarter]))
      return .choose(display, chance.once(in: 3) ? MonitorChoice() : choice)
    default: return chance.once(in: 4) ? .restart : .wait(0)
    }
  }

  /// Returns an ID that usually exists.
  private static func session(in store: SessionModel, _ chance: inout SeededGenerator) -> Int {
    let all = store.sessions
    return all.isEmpty || chance.once(in: 20) ? 1_000_000 : chance.pick(all).id
  }

  private static func message(in store: SessionModel, _ chance: inout SeededGenerator) -> Int {
    let all = store.messages
    return all.isEmpty || chance.once(in: 20) ? 1_000_000 : chance.pick(all).id
  }
}
