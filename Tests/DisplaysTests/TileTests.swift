import Displays
import Geometry
import Testing

@Suite struct TileTests {
  private func connector(_ id: UInt32, column: Int, modes: [Size]) -> ConnectorSnapshot {
    ConnectorSnapshot(
      id: id, name: "DP-\(id)", kind: ConnectorKind(10), status: .connected,
      modes: modes.map { Mode(size: $0, refresh: 60000) },
      tile: Tile(group: 1, grid: Size(2, 1), column: column, row: 0, size: Size(1920, 2160)))
  }

  @Test func `only the kernel's tile text is accepted`() throws {
    let tile = try #require(Tile("1:1:2:1:1:0:1920:2160"))
    #expect(tile == Tile(group: 1, grid: Size(2, 1), column: 1, row: 0, size: Size(1920, 2160)))
    for text in ["", "1:1:1:1:0:0:1920:2160", "1:1:2:1:0:0:1920", "a:1:2:1:0:0:1920:2160", "1:1:-2:1:0:0:1920:2160"] {
      #expect(Tile(text) == nil, "\(text)")
    }
  }

  @Test func `a tiled monitor is one display, in the modes that cover all tiles (33)`() throws {
    let left = connector(1, column: 0, modes: [Size(1920, 2160), Size(2560, 1440), Size(1920, 1080)])
    let right = connector(2, column: 1, modes: [Size(1920, 2160)])
    let card = CardSnapshot(card: "a", driver: "b", connectors: [left, right], crtcs: [])
    #expect(card.displays.map(\.name) == ["DP-1"])
    #expect(card.displays.first?.modes.map(\.size) == [Size(2560, 1440), Size(1920, 1080)])
    let half = connector(1, column: 0, modes: [Size(1920, 2160)])
    let poor = CardSnapshot(card: "a", driver: "b", connectors: [half, right], crtcs: [])
    #expect(
      poor.displays.first?.modes.map(\.size) == [Size(1920, 2160)], "a mode of one tile is used if no mode covers both")
  }

  @Test func `a tiled monitor is driven by its first connected tile (33)`() throws {
    var left = connector(1, column: 0, modes: [Size(1920, 2160)])
    let right = connector(2, column: 1, modes: [Size(1920, 2160), Size(1920, 1080)])
    var other = connector(3, column: 0, modes: [Size(800, 600)])
    other.tile?.group = 2
    #expect(right.leader(among: [left, right, other])?.name == "DP-1")
    // The kernel keeps the TILE property for a while after its cable is unplugged.
    left.status = .disconnected
    #expect(right.leader(among: [left, right, other]) == nil)
    let card = CardSnapshot(card: "a", driver: "b", connectors: [left, right, other], crtcs: [])
    #expect(card.displays.filter(\.isDisplayable).map(\.name) == ["DP-2", "DP-3"])
    #expect(card.displays.first { $0.name == "DP-2" }?.modes.map(\.size) == [Size(1920, 1080)])
  }
}
