package import Geometry

/// A tile of a monitor that uses several connectors, from the TILE property (DisplayID tiled display topology).
package struct Tile: Hashable, Sendable {
  /// The ID of the monitor, shared by all its tiles.
  package var group: Int
  /// The number of tiles horizontally and vertically.
  package var grid: Size
  /// The horizontal position of the tile in the grid, from the left, starting at 0.
  package var column: Int
  /// The vertical position of the tile in the grid, from the top, starting at 0.
  package var row: Int
  /// The size of the tile in pixels.
  package var size: Size

  /// Creates a tile.
  package init(group: Int, grid: Size, column: Int, row: Int, size: Size) {
    self.group = group
    self.grid = grid
    self.column = column
    self.row = row
    self.size = size
  }

  /// Parses the text of the property, or returns nil for invalid text or a monitor with a single tile.
  ///
  /// - Parameter text: The text, such as `1:1:2:1:0:0:1920:2160`: group, flag, grid, position and size
  ///   (`drm_connector_set_tile_property`).
  package init?(_ text: String) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard numbers.count == 8, numbers.allSatisfy({ (0...0xFFFF).contains($0) }), numbers[2] * numbers[3] > 1 else {
      return nil
    }
    self.init(
      group: numbers[0], grid: Size(numbers[2], numbers[3]), column: numbers[4], row: numbers[5],
      size: Size(numbers[6], numbers[7]))
  }

  /// Returns true if this tile precedes another one of its monitor in row-major order.
  func isBefore(_ other: Tile) -> Bool { (row, column) < (other.row, other.column) }
}

extension ConnectorSnapshot {
  /// Returns the connector as a display, or nil if it does not show messages of its own.
  ///
  /// A tiled monitor is represented by its first connected tile. Modes of the tile's size fill only
  /// one tile, so they are removed if there are others, which the monitor scales to its whole area.
  func asDisplay(beside others: [ConnectorSnapshot]) -> ConnectorSnapshot? {
    guard kind.role != nil, !isNonDesktop else { return nil }
    guard let tile, status == .connected else { return self }
    guard leader(among: others) == nil else { return nil }
    var whole = self
    whole.modes = modes.filter { $0.size != tile.size }
    return whole.isDisplayable ? whole : self
  }

  /// Returns the connector that represents the monitor of which this one drives a tile.
  ///
  /// - Parameter others: All connectors of the card.
  /// - Returns: The connector; nil if it is this one, or if the monitor is not tiled.
  package func leader(among others: [ConnectorSnapshot]) -> ConnectorSnapshot? {
    guard let tile else { return nil }
    return others.first { other in
      other.status == .connected && other.tile.map { $0.group == tile.group && $0.isBefore(tile) } ?? false
    }
  }
}
