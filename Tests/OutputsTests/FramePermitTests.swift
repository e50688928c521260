import Testing

@testable import Outputs

/// The permit is one value, so the order in which three threads send their events can be tested completely.
struct FramePermitTests {
  @Test func `a render thread presents no frame of another generation`() {
    var permit = FramePermit()
    _ = permit.handle(.changed(generation: 3, mayStep: true))
    for event in [FramePermit.Event.presenting(generation: 2), .following(generation: 2), .stepping(generation: 4)] {
      #expect(permit.handle(event) == .stop)
    }
    #expect(!permit.isResultPending && !permit.isStepping)
    #expect(permit.handle(.presenting(generation: 3)) == .proceed && permit.isResultPending)
  }

  @Test func `an animation does not continue while a newer scene is waiting`() {
    var permit = FramePermit()
    _ = permit.handle(.changed(generation: 1, mayStep: true))
    #expect(permit.handle(.rendering(generation: 1)) == .proceed)
    _ = permit.handle(.changed(generation: 1, mayStep: false))
    #expect(permit.handle(.rendering(generation: 1)) == .stop)
  }

  @Test func `a flip belongs to the render thread once, and to the control loop after a modeset`() {
    var permit = FramePermit()
    _ = permit.handle(.changed(generation: 1, mayStep: true))
    _ = permit.handle(.following(generation: 1))
    #expect(permit.handle(.flipped(generation: 1)) == .ignore, "no frame was requested")
    _ = permit.handle(.presenting(generation: 1))
    #expect(permit.handle(.flipped(generation: 1)) == .renderThread)
    #expect(permit.handle(.flipped(generation: 1)) == .ignore)
    _ = permit.handle(.changed(generation: 2, mayStep: false))
    #expect(permit.handle(.flipped(generation: 1)) == .controlLoop)
    #expect(permit.unreportedFlips == 2)
    for _ in 1...2 { _ = permit.handle(.reported) }
    #expect(permit.unreportedFlips == 0)
  }

  @Test(arguments: [(scenes: 3, modesets: 0), (0, 2), (2, 1), (3, 2)])
  func `no order of the threads' events loses or invents a flip`(scenes: Int, modesets: Int) throws {
    let result = PermitModel.explore(scenes: scenes, modesets: modesets)
    #expect(result.fault == nil, "\(result.fault ?? "")")
    #expect(result.ends > 0)
    print("\(scenes) scenes, \(modesets) modesets: \(result.states) states, \(result.ends) of them final")
  }

  @Test(arguments: PermitModel.Defect.allCases)
  func `each defect of the protocol is found`(defect: PermitModel.Defect) {
    let result = PermitModel.explore(scenes: 3, modesets: 2, with: defect)
    #expect(result.fault != nil, "\(defect): \(result.states) states")
  }
}
