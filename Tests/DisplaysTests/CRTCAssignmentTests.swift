import Displays
import SeededRandom
import Testing

@Suite struct CRTCAssignmentTests {
  private let crtcs = [10, 20, 30].map { CRTCSnapshot(id: $0, isEnabled: false) }

  private func connector(_ id: UInt32, _ mask: UInt32, current: UInt32? = nil) -> ConnectorSnapshot {
    ConnectorSnapshot(
      id: id, name: "DP-\(id)", kind: ConnectorKind(10), status: .connected, possibleCRTCs: mask, currentCRTC: current)
  }

  @Test func `connectors that compete for the same CRTCs all get one`() {
    let assignment = CRTCAssignment(
      wanted: [connector(1, 0b111), connector(2, 0b011), connector(3, 0b001)], crtcs: crtcs)
    #expect(assignment.crtcs == [1: 30, 2: 20, 3: 10])
    #expect(assignment.dark.isEmpty)
  }

  @Test func `a lit connector keeps its CRTC, and a connector that stays dark is reported`() {
    let assignment = CRTCAssignment(
      wanted: [connector(1, 0b111), connector(2, 0b001), connector(3, 0b110)], crtcs: crtcs, kept: [1: 10])
    #expect(assignment.crtcs == [1: 10, 3: 20])
    #expect(assignment.dark.map(\.name) == ["DP-2"])
    #expect(assignment.dark.first?.reason.contains("taken by other displays") == true)
  }

  @Test func `the firmware's assignment is kept if it leaves no connector dark`() {
    let kept = CRTCAssignment(wanted: [connector(1, 0b111), connector(2, 0b111, current: 10)], crtcs: crtcs)
    #expect(kept.crtcs == [1: 20, 2: 10])
    let moved = CRTCAssignment(wanted: [connector(1, 0b001), connector(2, 0b111, current: 10)], crtcs: crtcs)
    #expect(moved.crtcs == [1: 10, 2: 20])
    let impossible = CRTCAssignment(wanted: [connector(1, 0b010, current: 10)], crtcs: crtcs)
    #expect(impossible.crtcs == [1: 20])
  }

  @Test func `a connector that no CRTC can drive is reported with that reason`() {
    let assignment = CRTCAssignment(wanted: [connector(1, 0b1000)], crtcs: crtcs)
    #expect(assignment.dark == [.init(connector: 1, name: "DP-1", reason: "the card has no CRTC that can drive it")])
  }

  @Test func `earlier connectors win when there are too few CRTCs`() {
    let assignment = CRTCAssignment(wanted: (1...5).map { connector($0, .max) }, crtcs: crtcs)
    #expect(assignment.crtcs.keys.sorted() == [1, 2, 3])
    #expect(assignment.dark.map(\.connector) == [4, 5])
  }

  @Test(arguments: 0..<200)
  func `random cards enable as many connectors as any assignment can`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...5, using: &random)
    let crtcs = (0..<count).map { CRTCSnapshot(id: UInt32(100 + $0), isEnabled: false) }
    let wanted = (1...6 as ClosedRange<UInt32>).map { id -> ConnectorSnapshot in
      let current = Bool.random(using: &random) ? UInt32(100 + Int.random(in: 0..<5, using: &random)) : nil
      return connector(id, UInt32.random(in: 0..<32, using: &random), current: current)
    }
    let assignment = CRTCAssignment(wanted: wanted, crtcs: crtcs)
    #expect(assignment.crtcs.count == most(wanted[...], free: crtcs.count, used: 0), "seed \(seed)")
    #expect(Set(assignment.crtcs.values).count == assignment.crtcs.count, "seed \(seed)")
    #expect(assignment.crtcs.count + assignment.dark.count == wanted.count, "seed \(seed)")
    for connector in wanted {
      guard let crtc = assignment.crtcs[connector.id] else { continue }
      #expect(connector.possibleCRTCs & (1 << (crtc - 100)) != 0, "seed \(seed)")
    }
  }

  /// Returns the maximum number of connectors with a CRTC, found by trying all assignments.
  private func most(_ wanted: ArraySlice<ConnectorSnapshot>, free: Int, used: UInt32) -> Int {
    guard let first = wanted.first else { return 0 }
    let rest = wanted.dropFirst()
    let with = (0..<free).filter { first.possibleCRTCs & ~used & (1 << UInt32($0)) != 0 }
      .map { 1 + most(rest, free: free, used: used | 1 << UInt32($0)) }
    return max(most(rest, free: free, used: used), with.max() ?? 0)
  }
}
