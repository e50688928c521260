import Displays
import Geometry
import SeededRandom
import Testing

@testable import Outputs

/// A card reduced to what it accepts: modes by CRTC, and a limit of all pixel rates together.
private struct ModelCard {
  var refused: Set<Refusal> = []
  /// The limit in thousandths of pixels a second.
  var bandwidth = Int.max
  var refusesCommits = 0
  private(set) var tests: [[ModesetSearch.Assignment]] = []
  private(set) var commits: [[ModesetSearch.Assignment]] = []

  struct Refusal: Hashable {
    var connector: UInt32
    var crtc: UInt32
    var size: Size
  }

  static let error = CardError(reason: .refused, operation: "MODE_ATOMIC", object: "model", message: "refused")

  var lit: [UInt32: ModesetSearch.Assignment] {
    Dictionary(commits.joined().map { ($0.connector, $0) }) { $1 }
  }

  func accepts(_ plan: [ModesetSearch.Assignment]) -> Bool {
    let all = lit.filter { id, _ in !plan.contains { $0.connector == id } }.values + plan
    let isAnyRefused = plan.contains {
      refused.contains(Refusal(connector: $0.connector, crtc: $0.crtc, size: $0.candidate.mode.size))
    }
    return !isAnyRefused
      && all.map { $0.candidate.mode.size.area * $0.candidate.mode.refresh }.reduce(0, +) <= bandwidth
  }

  /// Runs a search to its end.
  mutating func run(_ search: inout ModesetSearch) {
    while let step = search.next {
      switch step {
      case .test(let plan):
        #expect(Set(plan.map(\.crtc)).count == plan.count && Set(plan.map(\.connector)).count == plan.count)
        tests.append(plan)
        if accepts(plan) { search.accept() } else { search.refuse(Self.error) }
      case .commit(let plan):
        #expect(tests.contains(plan) || plan.count == 1, "a plan is tested first")
        if refusesCommits > 0 {
          refusesCommits -= 1
          search.refuse(Self.error)
        } else {
          commits.append(plan)
          search.accept()
        }
      }
      guard tests.count < 1000 else {
        Issue.record("the search does not end")
        return
      }
    }
  }
}

private func candidates(_ sizes: Size...) -> [ModeChoice.Candidate] {
  sizes.map { ModeChoice.Candidate(mode: Mode(size: $0, refresh: 60_000), scale: 1, reason: "test") }
}

private let (large, medium, small) = (Size(3840, 2160), Size(1920, 1080), Size(1280, 720))
private let hertz = 60_000

/// The search for the modes of several outputs that one commit lights.
struct ModesetSearchTests {
  private func requests(_ count: Int, crtcs: [UInt32] = [10, 11, 12]) -> [ModesetSearch.Request] {
    (1...count).map { number in
      ModesetSearch.Request(
        connector: UInt32(number), crtcs: crtcs, candidates: candidates(large, medium, small))
    }
  }

  @Test func `without outputs there is no step`() {
    let search = ModesetSearch([])
    #expect(search.next == nil && search.failed.isEmpty)
  }

  @Test func `two monitors are lit by one commit after one test`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(2)))
    card.run(&search)
    #expect(card.tests.count == 1 && card.commits.count == 1)
    #expect(card.lit[1]?.crtc == 10 && card.lit[2]?.crtc == 11)
    #expect(card.lit.values.allSatisfy { $0.candidate.mode.size == large })
    #expect(search.rejections.isEmpty)
  }

  @Test func `only the output that is refused steps down`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(3)))
    card.refused = Set((10...12).map { ModelCard.Refusal(connector: 2, crtc: $0, size: large) })
    card.run(&search)
    #expect(card.commits.count == 1, "the others are lit with it")
    #expect(card.lit.mapValues(\.candidate.mode.size) == [1: large, 2: medium, 3: large])
    #expect(search.rejections.map(\.connector) == [2])
  }

  @Test func `a mode that one CRTC refuses is tried on another one`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(1)))
    card.refused = [.init(connector: 1, crtc: 10, size: large)]
    card.run(&search)
    #expect(card.lit[1]?.crtc == 11 && card.lit[1]?.candidate.mode.size == large)
    #expect(search.rejections.isEmpty)
  }

  @Test func `two outputs exchange their CRTCs if that gives both their best mode`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(2, crtcs: [10, 11])))
    card.refused = [.init(connector: 1, crtc: 10, size: large)]
    card.run(&search)
    #expect(card.lit[1]?.crtc == 11 && card.lit[2]?.crtc == 10)
    #expect(card.lit.values.allSatisfy { $0.candidate.mode.size == large })
  }

  @Test func `if the outputs exceed a common limit, the costliest one steps down`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(2)))
    card.bandwidth = (large.area + medium.area) * hertz
    card.run(&search)
    #expect(card.commits.count == 1)
    #expect(Set(card.lit.values.map(\.candidate.mode.size)) == [large, medium])
    #expect(
      search.rejections.map(\.error.message) == ["the card accepts it alone, but not together with another display"])
  }

  @Test func `no output stays dark while another one can step down`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(3)))
    card.bandwidth = 3 * small.area * hertz
    card.run(&search)
    #expect(card.lit.count == 3 && card.lit.values.allSatisfy { $0.candidate.mode.size == small })
  }

  @Test func `an output without an accepted mode fails, and the others are lit`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(2)))
    for size in [large, medium, small] {
      for crtc: UInt32 in 10...12 { card.refused.insert(.init(connector: 1, crtc: crtc, size: size)) }
    }
    card.run(&search)
    #expect(search.failed == [1] && card.lit.keys.sorted() == [2])
    #expect(search.rejections.map(\.candidate.mode.size) == [large, medium, small])
  }

  @Test func `a commit that is refused after its test is tried for each output`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(2)))
    card.refusesCommits = 1
    card.run(&search)
    #expect(card.lit.mapValues(\.candidate.mode.size) == [1: large, 2: large])
    #expect(card.commits.map(\.count) == [1, 1])
  }

  @Test func `an output without a buffer for its mode steps down, and one that is unplugged leaves the plan`() {
    var (card, search) = (ModelCard(), ModesetSearch(requests(3)))
    search.reject(1, ModelCard.error)
    search.drop(2)
    card.run(&search)
    #expect(card.lit.mapValues(\.candidate.mode.size) == [1: medium, 3: large])
    search.drop(7)
    search.reject(7, ModelCard.error)
    #expect(search.next == nil && search.failed.isEmpty)
  }

  /// For cards with random limits: each output is lit, or has a rejection for each candidate; what is committed is
  /// accepted; an output without competitors has its best accepted mode.
  @Test func `searches on random cards end, and leave no output out`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var lit = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 1...4, using: &random)
      let crtcs = Array<UInt32>((10..<10 + UInt32(count + .random(in: 0...1, using: &random))).shuffled(using: &random))
      let outputs = requests(count, crtcs: crtcs)
      var (card, search) = (ModelCard(), ModesetSearch(outputs))
      card.bandwidth = small.area * hertz * .random(in: 1...40, using: &random)
      card.refusesCommits = .random(in: 0...1, using: &random)
      for output in outputs {
        for crtc in crtcs {
          for size in [large, medium, small] where Int.random(in: 0..<3, using: &random) == 0 {
            card.refused.insert(.init(connector: output.connector, crtc: crtc, size: size))
          }
        }
      }
      let model = card
      card.run(&search)
      for output in outputs {
        let rejected = search.rejections.filter { $0.connector == output.connector }.map(\.candidate)
        if let assignment = card.lit[output.connector] {
          lit += 1
          #expect(output.candidates.starts(with: rejected + [assignment.candidate]), "seed \(seed)")
        } else {
          #expect(search.failed.contains(output.connector) && rejected == output.candidates, "seed \(seed)")
        }
      }
      #expect(model.accepts(Array(card.lit.values)), "seed \(seed)")
      guard count == 1, model.refusesCommits == 0 else { continue }
      let best = candidates(large, medium, small).first { candidate in
        crtcs.contains { model.accepts([.init(connector: 1, crtc: $0, candidate: candidate)]) }
      }
      #expect(card.lit[1]?.candidate == best, "seed \(seed)")
    }
    #expect(lit > 1000)
  }
}
