import Displays
import Testing

@Suite struct ConnectorDiffTests {
  private func card(_ connectors: ConnectorSnapshot...) -> CardSnapshot {
    CardSnapshot(card: "/dev/dri/card1", driver: "i915", connectors: connectors, crtcs: [])
  }

  private func connector(
    _ id: UInt32, _ status: ConnectionStatus = .connected, modes: [Mode] = modes("*1920x1080@60"), edid: [UInt8] = [1]
  ) -> ConnectorSnapshot {
    ConnectorSnapshot(
      id: id, name: "HDMI-A-\(id)", kind: ConnectorKind(11), status: status,
      modes: status == .connected ? modes : [], edid: status == .connected ? edid : [])
  }

  private func changes(_ old: CardSnapshot?, _ new: CardSnapshot) -> [ConnectorDiff.Change] {
    ConnectorDiff(from: old, to: new).changes
  }

  @Test func `the first probe finds all connected monitors`() {
    let one = connector(1)
    #expect(changes(nil, card(one, connector(2, .disconnected), connector(3, .unknown))) == [.connected(one)])
  }

  @Test func `an unknown status counts as connected if no connector is connected`() {
    func analog(_ id: UInt32, _ kind: UInt32 = 1, modes list: [Mode] = modes("1024x768@60")) -> ConnectorSnapshot {
      ConnectorSnapshot(id: id, name: "VGA-\(id)", kind: ConnectorKind(kind), status: .unknown, modes: list)
    }
    var goggles = analog(4)
    goggles.isNonDesktop = true
    // Writeback connectors (18) are not displays, and a connector without modes cannot be enabled.
    let doubtful = [analog(1), analog(2, 18), analog(3, modes: []), goggles, connector(5, .disconnected)]
    #expect(doubtful.believed.filter { $0.status == .connected }.map(\.id) == [1])
    #expect((doubtful + [connector(6)]).believed == doubtful + [connector(6)])
  }

  @Test func `an unchanged snapshot has no changes`() {
    #expect(changes(card(connector(1), connector(2)), card(connector(1), connector(2))).isEmpty)
  }

  @Test func `disconnections are reported before connections`() {
    let (gone, come) = (connector(2, .disconnected), connector(1))
    #expect(
      changes(card(connector(1, .disconnected), connector(2)), card(come, gone)) == [
        .disconnected(gone), .connected(come),
      ])
  }

  @Test func `another monitor on the same connector is a replacement`() {
    let (old, new) = (connector(1, edid: [1]), connector(1, edid: [2]))
    #expect(changes(card(old), card(new)) == [.replaced(old: old, new: new)])
  }

  @Test func `a late EDID changes the modes and does not replace the monitor`() {
    let early = connector(1, modes: [], edid: [])
    let late = connector(1)
    #expect(!early.isDisplayable)
    #expect(late.isDisplayable)
    #expect(changes(card(early), card(late)) == [.modesChanged(old: early, new: late)])
    let sameList = connector(1, edid: [])
    #expect(changes(card(sameList), card(late)) == [.modesChanged(old: sameList, new: late)])
  }

  @Test func `a removed connector is reported once, with its former state`() {
    let dock = connector(7)
    #expect(changes(card(connector(1), dock), card(connector(1))) == [.vanished(dock)])
    #expect(changes(card(connector(1), connector(7, .disconnected)), card(connector(1))).isEmpty)
  }

  @Test func `an ID that is reused for another connector is a new connector`() {
    let old = connector(7)
    var new = connector(7)
    new.name = "DP-3"
    #expect(changes(card(old), card(new)) == [.vanished(old), .connected(new)])
  }

  @Test func `a bad link is reported as long as it is bad`() {
    var bad = connector(1)
    bad.isLinkBad = true
    #expect(changes(card(connector(1)), card(bad)) == [.linkBad(bad)])
    #expect(changes(card(bad), card(bad)) == [.linkBad(bad)])
    #expect(changes(card(bad), card(connector(1))).isEmpty)
    #expect(changes(nil, card(bad)) == [.connected(bad)])
  }

  @Test func `writeback connectors and head-mounted displays are ignored`() {
    var helmet = connector(1)
    helmet.isNonDesktop = true
    var writeback = connector(2)
    writeback.kind = ConnectorKind(18)
    #expect(changes(nil, card(helmet, writeback)).isEmpty)
  }

  @Test func `a monitor with only interlaced modes is displayable`() {
    #expect(connector(1, modes: modes("1920x1080i@60")).isDisplayable)
  }

  @Test func `after four retries, only a uevent triggers another probe`() {
    #expect((0..<4).map { ProbeRetry.delay(after: $0) } == ProbeRetry.delays.map(Optional.some))
    #expect(ProbeRetry.delay(after: 4) == nil)
    #expect(ProbeRetry.delay(after: -1) == nil)
  }
}
