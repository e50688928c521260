import Control
import Director
import Displays
import Geometry
import Synchronization
import Testing
import VirtualDisplays

/// Cards that cannot be opened at the start, for example because another program holds them.
struct UnopenedCardTests {
  /// A source whose arrivals a test sends.
  private final class ManualSource: CardSource {
    let backend = "kms"
    let arrivals: AsyncStream<CardArrival>
    private let continuation: AsyncStream<CardArrival>.Continuation

    init() { (arrivals, continuation) = AsyncStream.makeStream() }

    func start() async {}

    func send(_ arrival: CardArrival) { continuation.yield(arrival) }
  }

  private static let path = "/dev/dri/card0"
  private static let reason = "/dev/dri/card0 is held by kmscon (pid 412); stop it: placardd then uses the card at once"

  private static func connector(_ name: String, _ status: ConnectionStatus, _ edid: [UInt8] = []) -> ConnectorSnapshot {
    ConnectorSnapshot(
      id: 0, name: name, kind: ConnectorKind(named: name.dropLast(2)) ?? ConnectorKind(0), status: status, edid: edid)
  }

  private static func card(_ connectors: [ConnectorSnapshot]) -> WaitingCard {
    WaitingCard(path: path, reason: reason, driver: "i915", connectors: connectors)
  }

  private static let edid = VirtualMonitor(size: Size(640, 480), name: "Lobby").edid

  /// Returns a director that has handled some arrivals, and the end of the first probe.
  private func harness(_ source: ManualSource, _ arrivals: [CardArrival]) async -> Harness {
    let harness = Harness()
    for arrival in arrivals { source.send(arrival) }
    source.send(.settled)
    await harness.director.start(source)
    await harness.director.settled()
    return harness
  }

  @Test func `connected monitors of a card that another program holds are dark, with its name`() async throws {
    let source = ManualSource()
    let card = Self.card([
      Self.connector("DP-1", .disconnected), Self.connector("HDMI-A-1", .connected, Self.edid),
      Self.connector("VGA-1", .unknown),
    ])
    let harness = await harness(source, [.waiting(card)])
    let reports = await harness.director.displays()
    #expect(reports.map(\.name) == ["HDMI-A-1", "DP-1", "VGA-1"])
    #expect(reports.map(\.state) == [.dark, .disconnected, .disconnected])
    #expect(reports.map(\.cause) == [.noMaster, .noMonitor, .noMonitor])
    #expect(reports[0].reason == Self.reason && reports[1].reason == "nothing is plugged in")
    #expect(reports[0].monitor?.contains("Lobby") == true && reports[0].driver == "i915")
    #expect(reports[0].since?.milliseconds == harness.clock.now && reports[0].card == Self.path)

    // One sentence for one card, however many displays it has.
    #expect(await harness.director.health().reasons == [Self.reason])
    #expect(await harness.director.status().problems == [Self.reason])
    let error = await #expect(throws: ControlError.self) { try await harness.director.why("HDMI-A-1") }
    #expect(error == ControlError(.conflict, "HDMI-A-1: \(Self.reason)"))
    let unknown = await #expect(throws: ControlError.self) { try await harness.director.why("DP-9") }
    #expect(unknown == ControlError(.notFound, "there is no display DP-9; the displays are DP-1, HDMI-A-1, VGA-1"))
    #expect(
      try await harness.director.setMessage(MessageRequest(text: "Later", display: "HDMI-A-1")).display == "HDMI-A-1")
  }

  @Test func `a plug into a held card is an event, and the display is lit once the card is released`() async throws {
    let source = ManualSource()
    let harness = await harness(source, [.waiting(Self.card([Self.connector("Virtual-1", .disconnected)]))])
    let events = await harness.director.events()
    harness.clock.now += 500
    source.send(.waiting(Self.card([Self.connector("Virtual-1", .connected, Self.edid)])))
    for await event in events where event.kind == .dark {
      #expect(event.display == "Virtual-1" && event.detail?.hasPrefix("/dev/dri/card0 is held by kmscon") == true)
      break
    }
    let dark = try #require(await harness.display("Virtual-1"))
    #expect(dark.state == .dark && dark.since?.milliseconds == harness.clock.now)

    let card = VirtualCard(path: Self.path, clock: Harness.now)
    card.plug(VirtualMonitor(size: Size(320, 240), name: "Lobby"), into: "Virtual-1")
    source.send(.ready(card))
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
    #expect(await harness.director.displays().count == 1)
    #expect(await harness.director.health().reasons.isEmpty)
  }

  @Test func `the connectors of a held card disappear with the card`() async throws {
    let source = ManualSource()
    let harness = await harness(source, [.waiting(Self.card([Self.connector("DP-1", .unknown)]))])
    #expect(await harness.display("DP-1")?.state == .dark, "a connector of unknown status may have a monitor")
    source.send(.gone(path: Self.path))
    await harness.wait { await harness.director.displays().isEmpty }
    #expect(await harness.director.health().reasons.isEmpty)
    let error = await #expect(throws: ControlError.self) { try await harness.director.why("DP-1") }
    #expect(error == ControlError(.notFound, "there is no display DP-1; no display is known"))
  }
}
