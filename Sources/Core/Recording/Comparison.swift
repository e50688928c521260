import Displays

/// The decisions of a run for each display, in order.
struct Decisions {
  /// A decision.
  struct Decision {
    var at: Int64
    /// The text that must match in a comparison.
    var key: String
    /// The text for the user.
    var words: String
  }

  private(set) var ofDisplays: [String: [Decision]] = [:]
  private var calls: [Int: RecordingLine.Call] = [:]
  /// The display on each CRTC of each card.
  private var places: [String: String] = [:]

  init(_ run: RecordedRun) {
    for line in run.lines { compare(line) }
  }

  private mutating func compare(_ line: RecordingLine) {
    if let call = line.call { calls[call.n] = call }
    if let answer = line.answer, let call = calls[answer.n], let plan = call.plan {
      compare(plan, call, answer.error, at: line.t)
    }
    if let state = line.state, state.state != "lighting" {
      add(state.display, line.t, state.state, state.reason.map { "\(state.state) (\($0))" } ?? state.state)
    }
  }

  /// Adds the result of a plan. A successful check adds nothing: the apply call that follows it does.
  private mutating func compare(
    _ plan: RecordingLine.Plan, _ call: RecordingLine.Call, _ error: RecordedError?, at time: Int64
  ) {
    for output in plan.lit ?? [] where call.op == .apply || error != nil {
      places["\(call.card) \(output.crtc)"] = output.display
      let mode = "mode \(output.mode ?? "?")"
      let outcome = error.map { ", \($0.reason) (\($0.message))" } ?? ""
      add(output.display, time, mode + (error.map { " \($0.reason)" } ?? ""), mode + outcome)
    }
    guard call.op == .apply else { return }
    for output in plan.asleep ?? [] { add(output.display, time, "signal ended", "signal ended") }
    for crtc in plan.dark ?? [] {
      let place = "\(call.card) \(crtc)"
      add(places[place] ?? "CRTC \(crtc) of \(call.card)", time, "switched off", "switched off")
    }
  }

  private mutating func add(_ display: String, _ time: Int64, _ key: String, _ words: String) {
    let last = ofDisplays[display]?.last
    // Another reason for the same state is not a new decision.
    if last?.key == key, !key.hasPrefix("mode "), key != "switched off" { return }
    ofDisplays[display, default: []].append(Decision(at: time, key: key, words: words))
  }
}

/// The differences between the decisions of two runs.
struct Comparison {
  /// A decision that differs between the runs.
  struct Difference: Hashable {
    var at: Int64
    var display: String
    /// The recorded decision; nil if there is none.
    var recorded: String?
    /// The decision of the replay; nil if there is none.
    var now: String?
  }

  /// The number of decisions that are searched for the next match.
  private static let window = 32
  /// The time before the end of a recording in which added decisions are ignored, in nanoseconds. The recording may
  /// have ended before they were written.
  private static let grace: Int64 = 1_000_000_000

  /// The differences, by time and then by display.
  private(set) var differences: [Difference] = []

  init(recorded: RecordedRun, now: RecordedRun) {
    let (old, new) = (Decisions(recorded).ofDisplays, Decisions(now).ofDisplays)
    for display in Set(old.keys).union(new.keys) {
      compare(old[display] ?? [], new[display] ?? [], display, until: recorded.length)
    }
    differences.sort { ($0.at, $0.display) < ($1.at, $1.display) }
  }

  private mutating func compare(
    _ old: [Decisions.Decision], _ new: [Decisions.Decision], _ display: String, until end: Int64
  ) {
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, j < new.count, old[i].key == new[j].key {
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (skipped, added) = Self.gap(old[i...], new[j...])
      for step in 0..<max(skipped, added) {
        let (before, after) = (step < skipped ? old[i + step] : nil, step < added ? new[j + step] : nil)
        if before == nil, i + step >= old.count, let after, after.at > end - Self.grace { continue }
        differences.append(
          Difference(
            at: before?.at ?? after?.at ?? 0, display: display, recorded: before?.words, now: after?.words))
      }
      (i, j) = (i + skipped, j + added)
    }
  }

  /// Returns the numbers of decisions to skip in each run until the next match.
  private static func gap(
    _ old: ArraySlice<Decisions.Decision>, _ new: ArraySlice<Decisions.Decision>
  ) -> (Int, Int) {
    for length in 1..<2 * window {
      for skipped in max(0, length - window)...min(length, window) {
        let added = length - skipped
        guard skipped < old.count, added < new.count else { continue }
        if old[old.startIndex + skipped].key == new[new.startIndex + added].key { return (skipped, added) }
      }
    }
    return (min(old.count, window), min(new.count, window))
  }
}
