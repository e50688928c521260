import Displays

/// The calls of a recorded run, matched to the calls of a replay.
///
/// A call of the replay gets the answer of the next equal recorded call that was made at about the same time. Painting
/// takes no time in a replay, so the replay makes its calls slightly earlier. A call that was not recorded has no
/// match.
struct ReplayScript {
  /// The content of a call. Equal calls have equal keys.
  struct Key: Hashable {
    var op: String
    var card: String
    var size: [Int]?
    var plan: RecordingLine.Plan?
    var display: String?
  }

  /// A recorded call and its result.
  struct Step {
    var key: Key
    var begin: Int64
    /// The time of the answer; nil if there was none.
    var end: Int64?
    var snapshot: CardSnapshot?
    var format: String?
    var error: CardError?
    /// The flips that the call caused.
    var flips: [(at: Int64, event: RecordingLine.Event)] = []
    var isUsed = false
  }

  /// The maximum time by which the recorded call may be earlier or later than the call of the replay, in nanoseconds.
  private static let early: Int64 = 1_000_000_000
  private static let late: Int64 = 5_000_000_000

  /// True if a recorded plan enables several outputs.
  private(set) var hasJointPlan = false
  private(set) var steps: [Step] = []
  /// The indices of the steps with the same key, in order.
  private var places: [Key: [Int]] = [:]
  /// The index in `places` of the first step that may still match. Older ones are not searched again.
  private var firsts: [Key: Int] = [:]
  /// The times of events that cause a probe, by card; those under the empty name concern all cards.
  private var causes: [String: [Int64]] = [:]
  /// The index of the step for each recorded line that is a call, by the index of the line.
  private(set) var stepOfLine: [Int: Int] = [:]
  /// The indices of the lines with flips that no call caused.
  private(set) var strayFlips: Set<Int> = []
  /// The last answer of each card in the replay.
  private var known: [String: Result<CardSnapshot, CardError>] = [:]

  init(_ run: RecordedRun) {
    var reader = Reader()
    for (place, line) in run.lines.enumerated() { reader.read(line, at: place, run, into: &self) }
    hasJointPlan = steps.contains { $0.key.plan?.lit?.count ?? 0 > 1 }
    for (index, step) in steps.enumerated() { places[step.key, default: []].append(index) }
  }

  /// Returns the recorded call with the same key; nil if there is none. Each call is returned once.
  mutating func claim(_ key: Key, at now: Int64) -> Step? {
    let list = places[key] ?? []
    var first = firsts[key] ?? 0
    while first < list.count, steps[list[first]].isUsed || steps[list[first]].begin < now - Self.early { first += 1 }
    firsts[key] = first
    guard let index = list[first...].first(where: { !steps[$0].isUsed }), steps[index].begin <= now + Self.late else {
      return nil
    }
    steps[index].isUsed = true
    return steps[index]
  }

  /// Returns the next recorded probe of a card. If an event precedes that probe, the last answer of the card still
  /// applies, and is returned at once.
  mutating func probe(_ card: String, at now: Int64) -> Step? {
    let key = Key(op: "probe", card: card)
    let list = places[key] ?? []
    var first = firsts[key] ?? 0
    while first < list.count, steps[list[first]].isUsed || steps[list[first]].begin < now { first += 1 }
    firsts[key] = first
    let index = first < list.count ? list[first] : nil
    if let index, known[card] == nil || !hasCause(card, after: now, before: steps[index].begin) {
      steps[index].isUsed = true
      let step = steps[index]
      if let snapshot = step.snapshot { known[card] = .success(snapshot) }
      if let error = step.error { known[card] = .failure(error) }
      return step
    }
    guard let known = known[card] else { return nil }
    var step = Step(key: key, begin: now, end: now)
    switch known {
    case .success(let snapshot): step.snapshot = snapshot
    case .failure(let error): step.error = error
    }
    return step
  }

  /// Applies a plan of the replay to the card's last answer, which may be used again. A CRTC that was disabled in the
  /// replay would otherwise look like one that another program left enabled.
  mutating func applied(_ plan: ModesetPlan, to card: String) {
    guard case .success(var snapshot)? = known[card] else { return }
    for index in snapshot.crtcs.indices {
      let crtc = snapshot.crtcs[index].id
      if plan.dark.contains(crtc) { snapshot.crtcs[index].isEnabled = false }
      if plan.lit.contains(where: { $0.crtc == crtc }) { snapshot.crtcs[index].isEnabled = true }
    }
    known[card] = .success(snapshot)
  }

  private func hasCause(_ card: String, after now: Int64, before time: Int64) -> Bool {
    [card, ""].contains { place in
      let times = causes[place] ?? []
      var (low, high) = (0, times.count)
      while low < high {
        let middle = (low + high) / 2
        if times[middle] <= now { low = middle + 1 } else { high = middle }
      }
      return low < times.count && times[low] < time
    }
  }

  /// A reader that assigns answers and flips to calls.
  private struct Reader {
    private struct Target: Hashable {
      var card: String
      var crtc: UInt32
    }

    private var calls: [Int: Int] = [:]
    /// The step whose frame is presented next on each CRTC.
    private var submitted: [Target: Int] = [:]
    /// The last step that presented a frame on each CRTC.
    private var presented: [Target: Int] = [:]
    /// The steps of the modesets, by card and number.
    private var modesets: [String: [UInt32: Int]] = [:]

    mutating func read(_ line: RecordingLine, at place: Int, _ run: RecordedRun, into script: inout ReplayScript) {
      if let call = line.call { read(call, line.t, at: place, into: &script) }
      if let present = line.present { read(present, line.t, at: place, into: &script) }
      if let answer = line.answer { read(answer, line.t, run, into: &script) }
      if let event = line.event { read(event, line.t, at: place, into: &script) }
      if line.asked != nil { script.causes["", default: []].append(line.t) }
    }

    private mutating func read(
      _ call: RecordingLine.Call, _ time: Int64, at place: Int, into script: inout ReplayScript
    ) {
      calls[call.n] = script.steps.count
      script.stepOfLine[place] = script.steps.count
      if let number = call.modeset, call.op == .apply {
        modesets[call.card, default: [:]][number] = script.steps.count
      }
      for output in call.plan?.lit ?? [] where call.op == .apply {
        submitted[Target(card: call.card, crtc: output.crtc)] = script.steps.count
      }
      script.steps.append(
        Step(
          key: Key(op: call.op.rawValue, card: call.card, size: call.size, plan: call.plan), begin: time))
    }

    private mutating func read(
      _ present: RecordingLine.Present, _ time: Int64, at place: Int, into script: inout ReplayScript
    ) {
      script.stepOfLine[place] = script.steps.count
      if present.error == nil {
        let target = Target(card: present.card, crtc: present.crtc)
        (submitted[target], presented[target]) = (script.steps.count, script.steps.count)
      }
      script.steps.append(
        Step(
          key: Key(op: "present", card: present.card, display: present.display), begin: time, end: time,
          error: present.error?.value))
    }

    private func read(
      _ answer: RecordingLine.Answer, _ time: Int64, _ run: RecordedRun, into script: inout ReplayScript
    ) {
      guard let index = calls[answer.n] else { return }
      script.steps[index].end = time
      script.steps[index].snapshot = run.snapshots[answer.n]
      script.steps[index].format = answer.format
      script.steps[index].error = answer.error?.value
    }

    private func read(
      _ event: RecordingLine.Event, _ time: Int64, at place: Int, into script: inout ReplayScript
    ) {
      guard event.kind == .flipped, let crtc = event.crtc else {
        return script.causes[event.card, default: []].append(time)
      }
      let target = Target(card: event.card, crtc: crtc)
      let cause =
        switch event.modeset {
        case nil: submitted[target]
        case 0?: presented[target]
        case let number?: modesets[event.card]?[number]
        }
      if let index = cause {
        script.steps[index].flips.append((time, event))
      } else {
        script.strayFlips.insert(place)
      }
    }
  }
}
