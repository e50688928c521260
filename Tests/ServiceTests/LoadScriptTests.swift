import Control
import Geometry
import Scenes
import SeededRandom
import Testing

/// What the model of a killed service takes for possible.
struct LoadScriptTests {
  @Test(arguments: [false, true])
  func `A turn that was in flight is known once it can be seen`(isStored: Bool) throws {
    var script = LoadScript(.sessions, SeededGenerator(seed: 1))
    var real = LoadScript(.sessions, SeededGenerator(seed: 1))
    func carryOut(_ command: LoadCommand, in script: inout LoadScript) throws {
      script.begin(command)
      try script.acknowledge(LoadCommand.Answer())
    }
    for command in [
      LoadCommand.plug(LoadMonitor.all[1], into: "Virtual-2"),
      .sleep(SleepRequest(asleep: true, display: "Virtual-2")),
    ] {
      try carryOut(command, in: &script)
      try carryOut(command, in: &real)
    }
    script.begin(.turn("Virtual-2", .half))
    if isStored { try carryOut(.turn("Virtual-2", .half), in: &real) }
    #expect(restart(&script, as: &real), "asleep and away, nobody sees how it is turned")
    // Awake and away again, it is remembered for its turn alone.
    for command in [
      LoadCommand.plug(LoadMonitor.all[1], into: "Virtual-2"),
      .sleep(SleepRequest(asleep: false, display: "Virtual-2")), .unplug("Virtual-2"),
    ] {
      try carryOut(command, in: &script)
      try carryOut(command, in: &real)
    }
    #expect(restart(&script, as: &real))
    #expect(script.store.seats.count == (isStored ? 2 : 1))
  }

  /// Both services are killed; whether what the real one has is possible.
  private func restart(_ script: inout LoadScript, as real: inout LoadScript) -> Bool {
    var store = real.store
    for display in store.seats.compactMap(\.display) { store.detach(display, at: 1000) }
    store.attach([LoadMonitor.first.arrival(on: "Virtual-1")], at: 1001)
    let found = LoadedState(store, .sessions)
    let isPossible = real.restart(found: found)
    return isPossible && script.restart(found: found)
  }
}
