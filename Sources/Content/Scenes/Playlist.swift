/// Scenes that are shown one after the other, again and again.
package struct Playlist: Hashable, Sendable {
  /// The items in their order.
  package var items: [Item]
  /// The time for which an item without its own is shown, in seconds.
  package var seconds: Double
  /// Whether the order is random: each round shows each item once.
  package var isShuffled: Bool
  /// The time of the cross-fade from one item to the next, in seconds; 0 for a cut.
  package var fade: Double

  /// One scene, and how long it is shown.
  package struct Item: Hashable, Sendable {
    /// The scene.
    package var show: Scene
    /// The time for which it is shown, in seconds; nil for that of the playlist.
    package var seconds: Double?
    /// The number of times that the scene is shown from its start to its end; nil to show it for a time.
    ///
    /// The end is the last page of a text, the end of a ticker's pass, or that of a countdown. Other scenes are shown
    /// for the time of an item instead.
    package var times: Int?

    /// Creates an item from its parts.
    package init(_ show: Scene, seconds: Double? = nil, times: Int? = nil) {
      self.show = show
      self.seconds = seconds
      self.times = times
    }
  }

  /// The time for which an item is shown by default, in seconds.
  package static let usualSeconds = 15.0
  /// The allowed times of items, in seconds.
  package static let permittedSeconds = 0.2...86400.0
  /// The allowed times of a cross-fade, in seconds.
  package static let permittedFades = 0.0...2.0

  /// Creates a playlist from its parts.
  package init(_ items: [Item], seconds: Double = usualSeconds, isShuffled: Bool = false, fade: Double = 0) {
    self.items = items
    self.seconds = seconds
    self.isShuffled = isShuffled
    self.fade = fade
  }

  /// Returns the index of the item that is shown at a step.
  ///
  /// - Parameter step: The number of items that were shown before, at least 0.
  /// - Returns: The index; nil without items.
  package func item(atStep step: Int) -> Int? {
    guard !items.isEmpty else { return nil }
    let (round, place) = step.quotientAndRemainder(dividingBy: items.count)
    return isShuffled ? order(ofRound: round)[place] : place
  }

  /// Returns the order of a round. It depends only on the number of the round, so that it is the same at each call.
  private func order(ofRound round: Int) -> [Int] {
    // An item is not shown twice in a row, so that two items alternate.
    guard items.count > 2 else { return Array(items.indices) }
    var order = permutation(ofRound: round)
    if round > 0, order[0] == permutation(ofRound: round - 1).last { order.swapAt(0, 1) }
    return order
  }

  private func permutation(ofRound round: Int) -> [Int] {
    var order = Array(items.indices)
    // SplitMix64: the successive states differ by an odd constant, and the mixed bits are well distributed.
    var state = UInt64(truncatingIfNeeded: round) &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(items.count)
    for place in order.indices.reversed() where place > 0 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var bits = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
      order.swapAt(place, Int((bits ^ (bits >> 31)) % UInt64(place + 1)))
    }
    return order
  }
}
