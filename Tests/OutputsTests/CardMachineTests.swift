import Displays
import Geometry
import Testing

@testable import Outputs

/// The states of a display, as the machine of its card decides them.
struct CardMachineTests {
  /// A card with one monitor on DP-1. All calls succeed at once; frames and flips are sent by the test.
  private struct Bench {
    private(set) var machine = CardMachine(path: "card", patience: .init(flip: 100, busy: 10))
    private(set) var reports: [CardMachine.Report] = []
    private(set) var frames: [CardMachine.Effect] = []
    private(set) var calls: [CardMachine.Effect] = []
    private var card = SimulatedCard()
    var now: UInt64 = 1000

    init() {
      card.monitors["DP-1"] = .init(serial: 1, sizes: [Size(1280, 720), Size(640, 480)])
      send(.hint(connector: nil))
    }

    var state: DisplayState? { machine.outputs["DP-1"]?.state }
    var generation: Int { machine.outputs["DP-1"]?.frames.generation ?? 0 }
    /// The number of the last modeset until its flip; then 0.
    var modeset: UInt32 = 0
    var width: Int? { machine.outputs["DP-1"]?.lit?.candidate.mode.size.width }

    mutating func send(_ event: CardMachine.Event) {
      for effect in machine.handle(event, at: now) {
        switch effect {
        case .probe(let id, _): send(.probed(id, card.snapshot()))
        case .arrived: wish(content: 1)
        case .render(let id, _, _, _): send(.rendered(id, nil))
        case .commit(let id, _):
          calls.append(effect)
          modeset = id.planNumber
          send(.finished(id, nil))
        case .test(let id, _), .disable(let id, _), .sleep(let id, _), .addBuffer(let id, _, _, _):
          calls.append(effect)
          send(.finished(id, nil))
        case .paint, .present: frames.append(effect)
        case .report(_, let report): reports.append(report)
        case .free: break
        }
      }
    }

    mutating func wish(content: Int) { send(.wished(["DP-1": OutputWish(policy: .native, content: content)])) }

    /// Reports the flip of the last modeset, or of a later frame.
    mutating func flip() {
      send(.flipped(Flip(crtc: 41, sequence: 1, time: now, modeset: modeset)))
      modeset = 0
    }

    mutating func present(_ result: CardMachine.FrameResult) {
      send(.presented(display: "DP-1", generation: generation, result))
    }

    mutating func pass(_ nanoseconds: UInt64) {
      now += nanoseconds
      send(.timePassed())
    }

    mutating func loseMaster() {
      card.isMaster = false
      send(.hint(connector: nil))
    }

    var stalls: Int { reports.count { if case .state(.stalled) = $0 { true } else { false } } }
  }

  private func error(_ reason: CardError.Reason) -> CardError {
    CardError(reason: reason, operation: "present", object: "DP-1", message: "\(reason)")
  }

  @Test func `a display is not lit before the first flip of its mode`() {
    var bench = Bench()
    #expect(bench.state == .lighting && bench.width == 1280)
    bench.flip()
    #expect(bench.state == .lit)
    #expect(bench.reports.last == .shown(version: 0, time: 1000, isFirst: true))
  }

  @Test func `if no flip comes, the next mode is set, and a mode that had flips is set again first`() {
    var bench = Bench()
    bench.pass(99)
    #expect(bench.width == 1280 && bench.stalls == 0)
    bench.pass(1)
    #expect(bench.width == 640 && bench.stalls == 1 && bench.state == .lighting)
    bench.flip()
    #expect(bench.state == .lit)
    bench.wish(content: 2)
    bench.present(.accepted)
    bench.pass(100)
    #expect(bench.width == 640 && bench.stalls == 2 && bench.state == .lighting)
    #expect(bench.calls.contains { if case .disable(_, [41]) = $0 { true } else { false } }, "a stuck CRTC is disabled")
  }

  @Test func `a card that is busy for the flip timeout has stalled`() {
    var bench = Bench()
    bench.flip()
    bench.wish(content: 2)
    bench.present(.rejected(error(.busy)))
    for _ in 0..<9 {
      bench.pass(10)
      #expect(bench.stalls == 0)
      bench.present(.rejected(error(.busy)))
    }
    bench.pass(10)
    #expect(bench.stalls == 1 && bench.frames.count == 10)
  }

  @Test func `a dark display ignores flips, and a lost one is gone`() {
    var bench = Bench()
    bench.flip()
    bench.loseMaster()
    #expect(bench.state?.darkness == .noMaster)
    bench.flip()
    #expect(bench.state?.darkness == .noMaster)
    bench.send(.ended(reason: "unplugged"))
    #expect(bench.state == nil && bench.machine.due == nil)
    #expect(bench.reports.last == .state(.lost(reason: "card is gone: unplugged")))
    bench.flip()
    #expect(bench.machine.outputs.isEmpty)
  }
}
