package import Displays
import Geometry

/// Finds the modes and CRTCs with which several outputs of one card are lit by one commit, as a pure state machine.
///
/// Each output has candidates, best first, and CRTCs that can drive it. The search tests all outputs together. If the
/// card refuses that, it tests each output alone:
///
/// - An output that is refused alone tries its mode on another CRTC, and then its next candidate.
/// - If each one is accepted alone, the outputs share a limit such as memory bandwidth. Of the smallest refused set, the
///   output with the highest pixel rate tries its next candidate.
///
/// Outputs that are lit already are not part of the search, so they stay as they are. `next` is the step that the caller
/// carries out, and `accept` or `refuse` is its result.
package struct ModesetSearch: Hashable, Sendable {
  /// An output that is to be lit.
  package struct Request: Hashable, Sendable {
    /// The connector's object ID.
    package var connector: UInt32
    /// The object IDs of the CRTCs that can drive the connector and drive no lit output, best first.
    package var crtcs: [UInt32]
    /// The modes to try, best first.
    package var candidates: [ModeChoice.Candidate]

    /// Creates a request.
    package init(connector: UInt32, crtcs: [UInt32], candidates: [ModeChoice.Candidate]) {
      self.connector = connector
      self.crtcs = crtcs
      self.candidates = candidates
    }
  }

  /// An output with the CRTC and the mode to light it.
  package struct Assignment: Hashable, Sendable {
    /// The connector's object ID.
    package var connector: UInt32
    /// The CRTC's object ID.
    package var crtc: UInt32
    /// The mode.
    package var candidate: ModeChoice.Candidate
  }

  /// The caller's next action.
  package enum Step: Hashable, Sendable {
    /// Test the assignments together without changing anything.
    case test([Assignment])
    /// Light the assignments by one commit. All of them were tested together.
    case commit([Assignment])
  }

  /// A candidate that an output cannot have.
  package struct Rejection: Hashable, Sendable {
    /// The connector's object ID.
    package var connector: UInt32
    /// The candidate.
    package var candidate: ModeChoice.Candidate
    /// The card's last error.
    package var error: CardError
  }

  private struct Entry: Hashable, Sendable {
    var request: Request
    /// The CRTCs that the card refused for the first candidate.
    var refused: Set<UInt32> = []
    var error: CardError?
  }

  private enum Phase: Hashable, Sendable {
    /// The whole plan is tested.
    case whole
    /// Each output is tested alone. `place` is the current one, and `refused` the errors of those before it.
    case alone(place: Int, refused: [UInt32: CardError])
    /// The outputs are tested together, one more each time: those before `place` are accepted.
    case growing(place: Int)
    /// The whole plan is committed.
    case commit
    /// The card refused the commit after it had accepted the test: the outputs are committed one by one.
    case single(place: Int)
  }

  private var entries: [Entry] = []
  private var plan: [Assignment] = []
  private var phase = Phase.whole

  /// The candidates that were rejected since the caller last removed them, oldest first.
  package var rejections: [Rejection] = []
  /// The connectors without a candidate that the card accepts.
  package private(set) var failed: [UInt32] = []

  /// Creates a search.
  ///
  /// - Parameter requests: The outputs, in descending priority. There must be an assignment of CRTCs to all of them.
  package init(_ requests: [Request]) {
    entries = requests.map { Entry(request: $0) }
    begin()
  }

  /// The step to carry out; nil if the search is over.
  package var next: Step? {
    guard !plan.isEmpty else { return nil }
    switch phase {
    case .whole: return .test(plan)
    case .alone(let place, _): return .test([plan[place]])
    case .growing(let place): return .test(Array(plan[...place]))
    case .commit: return .commit(plan)
    case .single(let place): return .commit([plan[place]])
    }
  }

  /// Handles the success of the current step.
  package mutating func accept() {
    switch phase {
    case .whole: phase = .commit
    case .alone(let place, let refused): finishAlone(place, refused)
    case .growing(let place): grow(from: place + 1)
    case .commit: finish(plan)
    case .single(let place): finish([plan[place]])
    }
  }

  /// Handles the refusal of the current step.
  ///
  /// - Parameter error: The card's error, whose reason is `.refused`. Any other reason concerns the card and ends the
  ///   search.
  package mutating func refuse(_ error: CardError) {
    switch phase {
    case .whole where plan.count == 1: ban(plan[0], error)
    case .whole: phase = .alone(place: 0, refused: [:])
    case .alone(let place, var refused):
      refused[plan[place].connector] = error
      finishAlone(place, refused)
    case .growing(let place): stepDownCostliest(of: Array(plan[...place]), error)
    case .commit where plan.count > 1: phase = .single(place: 0)
    case .commit: ban(plan[0], error)
    case .single(let place): ban(plan[place], error)
    }
  }

  /// Rejects the current candidate of an output on all CRTCs, for example because there is no memory for its buffer.
  package mutating func reject(_ connector: UInt32, _ error: CardError) {
    guard let index = entries.firstIndex(where: { $0.request.connector == connector }) else { return }
    stepDown(index, error)
    begin()
  }

  /// Returns true if the output is neither lit nor given up yet.
  package func isOpen(_ connector: UInt32) -> Bool { entries.contains { $0.request.connector == connector } }

  /// Removes an output that is not to be lit anymore.
  package mutating func drop(_ connector: UInt32) {
    guard entries.contains(where: { $0.request.connector == connector }) else { return }
    entries.removeAll { $0.request.connector == connector }
    begin()
  }

  // MARK: Transitions

  private mutating func finish(_ lit: [Assignment]) {
    entries.removeAll { entry in lit.contains { $0.connector == entry.request.connector } }
    for index in entries.indices { entries[index].request.crtcs.removeAll { crtc in lit.contains { $0.crtc == crtc } } }
    begin()
  }

  private mutating func finishAlone(_ place: Int, _ refused: [UInt32: CardError]) {
    guard place + 1 == plan.count else { return phase = .alone(place: place + 1, refused: refused) }
    guard !refused.isEmpty else { return grow(from: 1) }
    for assignment in plan {
      if let error = refused[assignment.connector] { note(assignment, error) }
    }
    begin()
  }

  /// The whole plan was refused, so the last output needs no test.
  private mutating func grow(from place: Int) {
    phase = .growing(place: place)
    if place + 1 == plan.count { stepDownCostliest(of: plan, nil) }
  }

  private mutating func stepDownCostliest(of refused: [Assignment], _ error: CardError?) {
    let costliest = refused.max { $0.candidate.mode.pixelRate <= $1.candidate.mode.pixelRate }
    guard let costliest, let index = entries.firstIndex(where: { $0.request.connector == costliest.connector }) else {
      return
    }
    let others = refused.count == 2 ? "another display" : "\(refused.count - 1) other displays"
    stepDown(
      index,
      CardError(
        reason: .refused, operation: "modeset", object: "\(costliest.candidate.mode)", errno: error?.errno ?? 0,
        message: "the card accepts it alone, but not together with \(others)"))
    begin()
  }

  private mutating func ban(_ assignment: Assignment, _ error: CardError) {
    note(assignment, error)
    begin()
  }

  private mutating func note(_ assignment: Assignment, _ error: CardError) {
    guard let index = entries.firstIndex(where: { $0.request.connector == assignment.connector }) else { return }
    entries[index].refused.insert(assignment.crtc)
    entries[index].error = error
    if entries[index].request.crtcs.allSatisfy(entries[index].refused.contains) { stepDown(index, error) }
  }

  private mutating func stepDown(_ index: Int, _ error: CardError) {
    let entry = entries[index]
    guard let candidate = entry.request.candidates.first else { return }
    rejections.append(Rejection(connector: entry.request.connector, candidate: candidate, error: error))
    entries[index].request.candidates.removeFirst()
    entries[index].refused = []
  }

  /// Makes a plan of the first candidates.
  private mutating func begin() {
    phase = .whole
    failed += entries.filter { $0.request.candidates.isEmpty || $0.request.crtcs.isEmpty }.map(\.request.connector)
    entries.removeAll { failed.contains($0.request.connector) }
    plan = []
    while plan.count < entries.count {
      let crtcs = matching()
      plan = entries.compactMap { entry in
        guard let crtc = crtcs[entry.request.connector], let candidate = entry.request.candidates.first else {
          return nil
        }
        return Assignment(connector: entry.request.connector, crtc: crtc, candidate: candidate)
      }
      guard plan.count < entries.count else { return }
      // Without refused CRTCs there is an assignment, so one of the outputs has refused ones.
      guard let index = blockingEntry(crtcs), let error = entries[index].error else {
        failed += entries.map(\.request.connector).filter { crtcs[$0] == nil }
        entries.removeAll { failed.contains($0.request.connector) }
        continue
      }
      stepDown(index, error)
      if entries[index].request.candidates.isEmpty { return begin() }
    }
  }

  /// An output with refused CRTCs, first one of those without a CRTC.
  private func blockingEntry(_ crtcs: [UInt32: UInt32]) -> Int? {
    let blocking = entries.indices.filter { !entries[$0].refused.isEmpty }
    return blocking.first { crtcs[entries[$0].request.connector] == nil } ?? blocking.first
  }

  /// Assigns CRTCs that were not refused to as many outputs as possible (Kuhn's augmenting paths), the first ones first.
  private func matching() -> [UInt32: UInt32] {
    var holders: [UInt32: Int] = [:]
    func assign(_ index: Int, _ seen: inout Set<UInt32>) -> Bool {
      let entry = entries[index]
      let crtcs = entry.request.crtcs.filter { !entry.refused.contains($0) && !seen.contains($0) }
      for crtc in crtcs.filter({ holders[$0] == nil }) + crtcs.filter({ holders[$0] != nil })
      where seen.insert(crtc).inserted {
        if let holder = holders[crtc], !assign(holder, &seen) { continue }
        holders[crtc] = index
        return true
      }
      return false
    }
    for index in entries.indices {
      var seen: Set<UInt32> = []
      _ = assign(index, &seen)
    }
    let pairs = holders.map { (entries[$0.value].request.connector, $0.key) }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension Mode {
  /// The visible pixels in 1000 seconds, a measure of the bandwidth.
  fileprivate var pixelRate: Int { size.area * refresh }
}
