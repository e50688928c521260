import Control
import Geometry
import Scenes
import SeededRandom
import Testing

/// The states that the model of a killed daemon accepts.
struct LoadScriptTests {
  private static let plug = LoadCommand.plug(LoadMonitor.all[1], into: "Virtual-2")
  private static let unplug = LoadCommand.unplug("Virtual-2")

  private func script(after commands: [LoadCommand]) throws -> LoadScript {
    var script = LoadScript(.sessions, SeededGenerator(seed: 1))
    for command in commands {
      script.begin(command)
      try script.acknowledge(LoadCommand.Answer())
    }
    return script
  }

  /// Returns the state of a daemon that executed these commands, after a restart that plugs its virtual monitors in
  /// again.
  private func found(after commands: [LoadCommand]) throws -> LoadedState {
    var store = try script(after: commands).store
    let plugged = store.profiles.filter { $0.display != nil }
    for profile in plugged { store.detach(profile.display ?? "", at: 1000) }
    store.attach(
      plugged.map { Arrival(display: $0.place, monitor: $0.monitor, place: $0.place) }, at: 1001)
    return LoadedState(store, .sessions)
  }

  @Test(arguments: [LoadCommand.turn("Virtual-2", .half), unplug, plug])
  func `a command in flight may or may not have been executed`(command: LoadCommand) throws {
    let before = command == Self.plug ? [] : [Self.plug]
    for commands in [before, before + [command]] {
      var script = try script(after: before)
      script.begin(command)
      #expect(script.restart(found: try found(after: commands)))
      #expect(script.open == nil)
    }
  }

  @Test func `exactly the acknowledged commands must have been executed`() throws {
    var lost = try script(after: [Self.plug])
    #expect(!lost.restart(found: try found(after: [])))
    var extra = try script(after: [])
    #expect(!extra.restart(found: try found(after: [Self.plug])))
  }
}
