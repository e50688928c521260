public import Geometry

/// One part of a monitor that its cable carries as several: the TILE property (DisplayID's tiled display topology).
public struct Tile: Hashable, Sendable {
  /// Which monitor it is a part of; tiles of one have the same.
  public var group: Int
  /// How many tiles there are across and down.
  public var grid: Size
  /// Where this one is, from the left and from the top.
  public var column: Int
  /// Where this one is, from the top.
  public var row: Int
  /// Its pixels.
  public var size: Size

  /// A tile from its parts.
  public init(group: Int, grid: Size, column: Int, row: Int, size: Size) {
    self.group = group
    self.grid = grid
    self.column = column
    self.row = row
    self.size = size
  }

  /// From the property's text, `1:1:2:1:0:0:1920:2160`: group, flag, grid, place, size
  /// (drm_connector_set_tile_property). Nil for anything else, and for a monitor of one tile.
  public init?(_ text: String) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard numbers.count == 8, numbers.allSatisfy({ (0...0xFFFF).contains($0) }), numbers[2] * numbers[3] > 1 else {
      return nil
    }
    self.init(
      group: numbers[0], grid: Size(numbers[2], numbers[3]), column: numbers[4], row: numbers[5],
      size: Size(numbers[6], numbers[7]))
  }

  /// Whether it comes before another one of its monitor: row by row, from the left.
  func isBefore(_ other: Tile) -> Bool { (row, column) < (other.row, other.column) }
}

extension ConnectorSnapshot {
  /// The connector as a display beside those of its card: of a monitor in tiles the first one whose cable is there, without
  /// the modes that light a part of it, as long as there are others. Such monitors scale what comes in another mode to the
  /// whole of their glass. Nil for what is no display for messages.
  func asDisplay(beside others: [ConnectorSnapshot]) -> ConnectorSnapshot? {
    guard kind.role != nil, !isNonDesktop else { return nil }
    guard let tile, status == .connected else { return self }
    guard leader(among: others) == nil else { return nil }
    var whole = self
    whole.modes = modes.filter { $0.size != tile.size }
    return whole.isDisplayable ? whole : self
  }

  /// The connector that shows the monitor of which this one has a part; nil where that is this one, or the monitor is whole.
  public func leader(among others: [ConnectorSnapshot]) -> ConnectorSnapshot? {
    guard let tile else { return nil }
    return others.first { other in
      other.status == .connected && other.tile.map { $0.group == tile.group && $0.isBefore(tile) } ?? false
    }
  }
}
