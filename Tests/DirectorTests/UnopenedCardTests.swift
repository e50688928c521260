import Control
import Director
import Displays
import Geometry
import Synchronization
import Testing
import VirtualDisplays

/// Cards that another program holds, or that cannot be opened, from the start on.
struct UnopenedCardTests {
  /// A source whose arrivals a test sends.
  private final class HandSource: CardSource {
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

  /// A director that has heard these arrivals, and that the first look is over.
  private func rig(_ source: HandSource, _ arrivals: [CardArrival]) async -> Rig {
    let rig = Rig()
    for arrival in arrivals { source.send(arrival) }
    source.send(.settled)
    await rig.director.start(source)
    await rig.director.settled()
    return rig
  }

  @Test func `the connectors of a card that another program holds are dark, with who holds it`() async throws {
    let source = HandSource()
    let card = Self.card([
      Self.connector("DP-1", .disconnected), Self.connector("HDMI-A-1", .connected, Self.edid),
      Self.connector("VGA-1", .unknown),
    ])
    let rig = await rig(source, [.waiting(card)])
    let reports = await rig.director.displays()
    #expect(reports.map(\.name) == ["HDMI-A-1", "DP-1", "VGA-1"])
    #expect(reports.map(\.state) == ["dark", "disconnected", "disconnected"])
    #expect(reports.map(\.cause) == ["noMaster", "noMonitor", "noMonitor"])
    #expect(reports[0].reason == Self.reason && reports[1].reason == "nothing is plugged in")
    #expect(reports[0].monitor?.contains("Lobby") == true && reports[0].driver == "i915")
    #expect(reports[0].since?.milliseconds == rig.clock.now && reports[0].card == Self.path)

    // One sentence for one card, however many displays it has.
    #expect(await rig.director.health().reasons == [Self.reason])
    #expect(await rig.director.status().problems == [Self.reason])
    let error = await #expect(throws: ControlError.self) { try await rig.director.why("HDMI-A-1") }
    #expect(error == ControlError(.conflict, "HDMI-A-1: \(Self.reason)"))
    let unknown = await #expect(throws: ControlError.self) { try await rig.director.why("DP-9") }
    #expect(unknown == ControlError(.notFound, "there is no display DP-9; the displays are DP-1, HDMI-A-1, VGA-1"))
    #expect(try await rig.director.setMessage(MessageRequest(text: "Later", display: "HDMI-A-1")).display == "HDMI-A-1")
  }

  @Test func `a plug into a card that is held is an event, and the card takes its connectors over`() async throws {
    let source = HandSource()
    let rig = await rig(source, [.waiting(Self.card([Self.connector("Virtual-1", .disconnected)]))])
    let events = await rig.director.events()
    rig.clock.now += 500
    source.send(.waiting(Self.card([Self.connector("Virtual-1", .connected, Self.edid)])))
    for await event in events where event.kind == .dark {
      #expect(event.display == "Virtual-1" && event.detail?.hasPrefix("/dev/dri/card0 is held by kmscon") == true)
      break
    }
    let dark = try #require(await rig.display("Virtual-1"))
    #expect(dark.state == "dark" && dark.since?.milliseconds == rig.clock.now)

    let card = VirtualCard(path: Self.path, clock: Rig.now)
    card.plug(VirtualMonitor(size: Size(320, 240), name: "Lobby"), into: "Virtual-1")
    source.send(.ready(card))
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
    #expect(await rig.director.displays().count == 1)
    #expect(await rig.director.health().reasons.isEmpty)
  }

  @Test func `a card that is waited for and goes takes its connectors with it`() async throws {
    let source = HandSource()
    let rig = await rig(source, [.waiting(Self.card([Self.connector("DP-1", .unknown)]))])
    #expect(await rig.display("DP-1")?.state == "dark", "a monitor is believed where the driver cannot tell")
    source.send(.gone(path: Self.path))
    await rig.wait { await rig.director.displays().isEmpty }
    #expect(await rig.director.health().reasons.isEmpty)
    let error = await #expect(throws: ControlError.self) { try await rig.director.why("DP-1") }
    #expect(error == ControlError(.notFound, "there is no display DP-1; no display is known"))
  }
}
