import Archive
import Configuration
import Control
import ControlClient
import ControlHTTP
import Director
import Displays
import Logging
import NIOCore
import Service
import SimulatedTime
import VirtualDisplays

/// A life of the service: the parts that end with its process.
final class Life: @unchecked Sendable {
  // @unchecked: used on the thread of the simulated clock.
  let director: Director
  let persistence: ArchivePersistence
  /// A client that sends HTTP requests to the service without a connection.
  let client: PlacardClient
  let source = Source()
  let number: Int
  /// Whether clients can connect: from the time that stored data is restored until the end of the process.
  var isOpen = false
  var isOver = false
  /// The number of requests that wait for their answers.
  var requests = 0

  init(_ number: Int, in world: World) throws {
    self.number = number
    let clock = world.clock
    let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
    let persistence = try ArchivePersistence(
      path: world.directory + "/state.db", limits: ArchiveLimits(), loop: clock.loops[2],
      now: { [unowned world] in world.wallTime }, logger: logger)
    self.persistence = persistence
    director = Director(
      settings: world.settings, loop: clock.loops[0], renderLoops: [clock.loops[1]],
      environment: Director.Environment(
        backend: .virtual, version: "simulation", pid: 1, now: { clock.time },
        wallClock: { [unowned world] in world.wallTime }, sinceBoot: { [unowned world] in world.bootTime },
        epoch: "life\(number)"),
      persistence: world.mistake.map { MistakenPersistence(persistence, $0) } ?? persistence, logger: logger)
    let requests = DirectRequests(service: director, eventLoop: clock.loops[0], logger: logger)
    client = PlacardClient(name: "simulation", group: clock.loops[0]) { await requests.answer($0, $1, $2, $3) }
  }

  /// A source of the cards of the world.
  final class Source: CardSource {
    let backend = "virtual"
    let arrivals: AsyncStream<CardArrival>
    let continuation: AsyncStream<CardArrival>.Continuation

    init() { (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    func start() async {}
  }
}
