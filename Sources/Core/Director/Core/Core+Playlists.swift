import Outputs
import Scenes

/// The next item of a playlist, and items that are skipped.
extension Core {
  /// The time before a change at which the next item of a playlist is prepared, in milliseconds.
  private static let lead: Int64 = 10_000
  /// The time from a flip until its former buffer is painted again, in milliseconds. A driver without hardware, such as
  /// vkms or one for USB, can still read that buffer when it reports the flip.
  private static let pause: Int64 = 1000

  /// Returns the next item of a playlist that an output shows; nil if another change comes first, or none.
  private func nextItem(of output: OutputRecord) -> ResolvedScene? {
    guard output.isLit, output.progress.hasItem, let next = output.nextChange else { return nil }
    let moment = moment(of: output, at: next)
    return moment.progress != output.progress ? moment : nil
  }

  /// Schedules the preparation of the next item of an output's playlist.
  mutating func planAhead(_ id: OutputID) {
    guard let output = self[id] else { return }
    guard nextItem(of: output) != nil, let next = output.nextChange else {
      if output.aheadDue != nil { update(id) { $0.aheadDue = nil } }
      return
    }
    let wait = max(Self.pause, next - now.wall - Self.lead)
    let due = now.wall + wait < next ? now.due(inNanoseconds: wait * 1_000_000) : nil
    update(id) { $0.aheadDue = due }
    if let due { wake(at: due) }
  }

  /// Has the next item of an output's playlist prepared.
  mutating func lookAhead(_ id: OutputID) {
    update(id) { $0.aheadDue = nil }
    guard let output = self[id], let surface = surface(of: id), let moment = nextItem(of: output),
      moment.view != output.ahead
    else { return }
    update(id) { $0.ahead = moment.view }
    emit(.prepare(id, surface, moment))
  }

  /// Handles content that was prepared. An item of a playlist whose image cannot be shown is skipped.
  mutating func prepared(_ id: OutputID, _ moment: ResolvedScene, _ lost: [String]) {
    guard self[id]?.ahead == moment.view, skip(moment.seen, moment.progress, lost, on: id) else { return }
    lookAhead(id)
  }

  /// Skips the item of a playlist on screen if its image cannot be shown. Returns whether it does.
  mutating func skipLost(_ id: OutputID) -> Bool {
    guard let showing = self[id]?.showing, let seen = showing.seen,
      skip(seen, showing.progress, showing.lostPictures, on: id)
    else { return false }
    redraw(id)
    return true
  }

  private mutating func skip(
    _ seen: ShownScene, _ progress: SceneProgress, _ lost: [String], on id: OutputID
  ) -> Bool {
    guard let reason = lost.first, case .image = seen.scene.content, let skip = SkippedStep(progress.main, reason),
      let output = self[id], !output.skipped.contains(skip)
    else { return false }
    var isKnown = false
    update(id) { output in
      // Those of the last round are enough, for a playlist of 200 items.
      output.skipped.removeAll { $0.steps != skip.steps || $0.number <= skip.number - 200 }
      output.skipped.append(skip)
      isKnown = output.knows(failure: "skipped: \(reason)")
    }
    if !isKnown { log(.warning, "\(id.name): an item of the playlist is skipped: \(reason)") }
    return true
  }
}
