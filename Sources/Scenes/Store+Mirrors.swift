import Ordering

extension Store {
  /// Returns why a change is refused that would let a display mirror itself, or a display that is a mirror itself. A
  /// mirror that is covered or comes after a countdown counts. Displays without a monitor count where a session waits.
  ///
  /// - Parameters:
  ///   - old: The store before the change. What it refuses already is no reason.
  ///   - new: The store after the change.
  ///   - fallbacks: The displays that other displays mirror without a session or message, by the mirrors' names.
  /// - Returns: The first such mirror, by name; nil if there is none.
  public static func refusedMirror(from old: Store, to new: Store, fallbacks: [String: String]) -> StoreError? {
    let refused = refusedMirrors(new.mirrors(beside: fallbacks))
    guard !refused.isEmpty else { return nil }
    let known = Set(refusedMirrors(old.mirrors(beside: fallbacks)).map(\.link))
    return refused.first { !known.contains($0.link) }.map { mirror in
      .mirror(mirror.link.display, of: mirror.link.mirrored, thatMirrors: mirror.further)
    }
  }

  private struct Link: Hashable {
    var display: String
    var mirrored: String
  }

  private static func refusedMirrors(_ mirrors: [String: Set<String>]) -> [(link: Link, further: String)] {
    mirrors.naturallySorted { $0.key }.flatMap { display, others in
      others.naturallySorted().compactMap { mirrored in
        let link = Link(display: display, mirrored: mirrored)
        if mirrored == display { return (link, display) }
        return mirrors[mirrored]?.min().map { (link, $0) }
      }
    }
  }

  /// The displays that each display mirrors or may come to mirror.
  private func mirrors(beside fallbacks: [String: String]) -> [String: Set<String>] {
    var mirrors = fallbacks.mapValues { Set([$0]) }
    let displays = Set(allSeats.compactMap(\.display) + reservations.compactMap(\.display))
    for display in displays {
      if let mirrored = session(on: display)?.scene.mirrored { mirrors[display, default: []].insert(mirrored) }
    }
    for message in allMessages {
      guard let mirrored = message.scene.mirrored else { continue }
      for display in displays where isFor(display, message) { mirrors[display, default: []].insert(mirrored) }
    }
    return mirrors
  }
}

extension Scene {
  /// The display that it mirrors, at once or after a countdown; nil for none.
  public var mirrored: String? {
    switch content {
    case .mirror(let display): display
    case .countdown(let countdown): countdown.then?.mirrored
    default: nil
    }
  }
}
