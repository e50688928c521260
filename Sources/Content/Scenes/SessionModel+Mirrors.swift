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
  ///   - fallbacks: The scenes that displays show by configuration, without a session or message, by the displays'
  ///     names.
  /// - Returns: `SessionModelError.mirror` for the first new invalid link, in natural order of names; nil if there is none.
  package static func refusedMirror(from old: SessionModel, to new: SessionModel, fallbacks: [String: Scene])
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
    guard !mirrors.isEmpty else { return [] }
    return mirrors.naturallySorted { $0.key }.flatMap { display, others in
      others.naturallySorted().compactMap { mirrored in
        let link = Link(display: display, mirrored: mirrored)
        if mirrored == display { return (link, display) }
        return mirrors[mirrored]?.min().map { (link, $0) }
      }
    }
  }

  /// Returns the displays that each mirror mirrors now or may mirror later, keyed by the mirror's name.
  private func mirrors(beside fallbacks: [String: Scene]) -> [String: Set<String>] {
    var mirrors = fallbacks.mapValues { mirrored(by: $0) }.filter { !$0.value.isEmpty }
    let displays = Set(allProfiles.compactMap(\.display) + reservations.compactMap(\.display))
    for display in displays {
      guard let scene = session(on: display)?.scene else { continue }
      let mirrored = mirrored(by: scene)
      if !mirrored.isEmpty { mirrors[display, default: []].formUnion(mirrored) }
    }
    for message in allMessages {
      let mirrored = mirrored(by: message.scene)
      guard !mirrored.isEmpty else { continue }
      for display in displays where isFor(display, message) { mirrors[display, default: []].formUnion(mirrored) }
    }
    return mirrors
  }
}

extension SessionModel {
  /// Returns the displays that a scene mirrors now or may mirror later.
  package func mirrored(by scene: Scene) -> Set<String> {
    switch scene.content {
    case .mirror(let display): [display]
    case .entry, .countdown, .playlist, .schedule, .calendar, .zones:
      Set(reachable(from: scene).compactMap(\.ownMirror))
    default: []
    }
  }

  /// Returns whether a scene shows the content of other displays, now or later.
  package func tellsOfOthers(_ scene: Scene) -> Bool {
    switch scene.content {
    case .mirror, .controller: true
    case .entry, .countdown, .playlist, .schedule, .calendar, .zones:
      reachable(from: scene).contains(where: \.isAboutOthers)
    default: false
    }
  }
}

extension Scene {
  /// The display that the scene itself mirrors; nil for none.
  fileprivate var ownMirror: String? { if case .mirror(let display) = content { display } else { nil } }

  /// Whether the scene itself shows the content of other displays.
  fileprivate var isAboutOthers: Bool {
    switch content {
    case .mirror, .controller: true
    default: false
    }
  }
}
