import Ordering

extension SessionModel {
  /// Returns the error for a change that makes a display mirror itself or another mirror.
  ///
  /// Mirrors that are covered by a message, or that follow a countdown, count. A display without a monitor counts if a
  /// session waits for it.
  ///
  /// - Parameters:
  ///   - old: The model before the change. Links that are invalid there are not reported again.
  ///   - new: The model after the change.
  ///   - fallbacks: The displays that are mirrored by configuration, without a session or message, keyed by the
  ///     mirror's name.
  /// - Returns: `SessionModelError.mirror` for the first new invalid link, in natural order of names; nil if there is none.
  package static func refusedMirror(from old: SessionModel, to new: SessionModel, fallbacks: [String: String])
    -> SessionModelError?
  {
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

  /// Returns the displays that each display mirrors now or may mirror later, keyed by the mirror's name.
  private func mirrors(beside fallbacks: [String: String]) -> [String: Set<String>] {
    var mirrors = fallbacks.mapValues { Set([$0]) }
    let displays = Set(allProfiles.compactMap(\.display) + reservations.compactMap(\.display))
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
  /// The display that the scene mirrors, immediately or after a countdown; nil for none.
  package var mirrored: String? {
    switch content {
    case .mirror(let display): display
    case .countdown(let countdown): countdown.then?.mirrored
    default: nil
    }
  }
}
