import Geometry

/// The pixels that displays showed, and the text that each picture is known to show.
struct Pictures {
  private struct Key: Hashable {
    var text: String
    var size: Size
  }

  private struct Shown {
    var time: UInt64
    var hash: Int
    var size: Size
  }

  /// The latest pictures of each display, oldest first.
  private var shown: [String: [Shown]] = [:]
  private var hashes: [Key: Int] = [:]
  private var texts: [Int: Key] = [:]

  /// Notes what a display shows from a vertical blank on.
  mutating func flipped(_ display: String, _ frame: (size: Size, pixels: [UInt32])?, at time: UInt64) {
    guard let frame else { return }
    shown[display, default: []].append(Shown(time: time, hash: frame.pixels.hashValue, size: frame.size))
    if shown[display]?.count ?? 0 > 400 { shown[display]?.removeFirst(200) }
  }

  /// Checks that a display showed a text at a time, as the service says.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - text: The text.
  ///   - time: The time of the flip in nanoseconds; nil for the latest one.
  ///   - turn: The rotation of the picture in degrees.
  /// - Returns: The violation; nil if there is none, or if the picture is too old to be known.
  mutating func check(_ display: String, shows text: String, at time: UInt64?, turn: Int) -> String? {
    guard let list = shown[display], let last = list.last else { return "\(display) has shown nothing, not \(text)" }
    if let time, time < list[0].time { return nil }
    guard let found = time.map({ time in list.last { $0.time == time } }) ?? last else {
      return "\(display): no flip at the time that was reported for \(text)"
    }
    let key = Key(text: "\(turn) \(text)", size: found.size)
    if let hash = hashes[key] {
      return hash == found.hash
        ? nil : "\(display) shows \(texts[found.hash]?.text ?? "an unknown picture"), not \(text)"
    }
    if let other = texts[found.hash], other != key { return "\(display) shows \(other.text), not \(text)" }
    hashes[key] = found.hash
    texts[found.hash] = key
    return nil
  }
}
