import Configuration
import Control
import Displays
import Geometry
import Glibc
import JSON
import NIOCore
import NIOPosix
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// What moves goes on from flip to flip on its painter's thread, whatever else there is to decide.
@Suite(.timeLimit(.minutes(5)))
struct PainterStepsTests {
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
  /// 180 logical pixels a second, at 60 Hz.
  private static let step = 3

  /// A display with vertical blanks on which a line scrolls, as far as its first step, and others beside it. Its director
  /// and its painter have threads of their own.
  private func withTicker(
    _ scene: JSONValue = ticker, others: Int = 0,
    _ body: (PacedRig, _ control: any EventLoop, _ lane: any EventLoop) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let (control, lane) = (group.next(), group.next())
    let paced = try await PacedRig(loop: control, lanes: [lane])
    for _ in 0..<others { try await paced.rig.plug(320, 240) }
    await paced.rig.rest()
    paced.rig.card.beginVBlanks()
    _ = try await paced.picture { try await paced.director.open(OpenRequest(scene: scene, display: "Virtual-1")) }
    await paced.blank()
    try await body(paced, control, lane)
    await paced.director.close()
  }

  /// Whether the newest picture is another one, so many steps further to the left.
  private func isMoved(_ paced: PacedRig, from other: [UInt32], by steps: Int) -> Bool {
    let (picture, width, distance) = (paced.pixels(), PacedRig.size.width, steps * Self.step)
    return (0..<PacedRig.size.height).allSatisfy { y in
      let row = y * width
      return picture[row..<row + width - distance].elementsEqual(other[row + distance..<row + width])
    }
  }

  @Test func `a line goes on while the director is busy, and it hears of all later`() async throws {
    try await withTicker { paced, control, _ in
      let first = paced.pixels()
      let gate = Flag()
      control.execute { gate.wait() }
      for steps in 1...5 {
        let flips = paced.flips
        paced.beat()
        await paced.picture(flips + 1)
        #expect(isMoved(paced, from: first, by: steps), "\(steps)")
      }
      let flips = paced.flips
      paced.beat(after: 3)
      await paced.picture(flips + 1)
      #expect(isMoved(paced, from: first, by: 8))
      gate.set()
      await paced.director.hearPainters()
      #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 2))
      let report = await paced.rig.display("Virtual-1")
      #expect(report?.missedFrames == 2 && report?.missedInARow == 2 && report?.state == "lit")
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
      await paced.blank()
      #expect(isMoved(paced, from: first, by: 9))
    }
  }

  @Test func `a message that comes meanwhile follows the picture that is on its way`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      _ = try await paced.director.setMessage(MessageRequest(text: "Stand still"))
      let before = paced.flips
      await paced.blank()
      #expect(paced.flips == before + 1)
      await paced.lastBlank()
      #expect(await paced.rig.display("Virtual-1")?.message == "Stand still")
      #expect(!paced.rig.card.followers.tell(Flip(crtc: 1, sequence: 99, time: 1)), "flips are the director's again")
      await paced.lastBlank()
      #expect(paced.flips == before + 1)
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `a flip that nobody asked for moves nothing`() async throws {
    try await withTicker { paced, _, lane in
      let first = paced.pixels()
      let before = paced.flips
      let gate = Flag()
      lane.execute { gate.wait() }
      paced.beat()
      #expect(paced.rig.card.followers.tell(Flip(crtc: 1, sequence: 99, time: 1)))
      gate.set()
      await paced.picture(before + 1)
      await paced.director.hearPainters()
      #expect(paced.flips == before + 1 && isMoved(paced, from: first, by: 1))
      await paced.blank()
      #expect(paced.flips == before + 2 && isMoved(paced, from: first, by: 2))
    }
  }

  @Test func `a step to which the card says busy is asked for anew`() async throws {
    try await withTicker { paced, _, _ in
      let first = paced.pixels()
      for steps in 1...6 {
        if steps % 2 == 0 { paced.rig.card.inject(.busyFlip, count: 1) }
        await paced.blank()
        #expect(isMoved(paced, from: first, by: steps), "\(steps)")
      }
      #expect(
        paced.rig.card.injectedFaultCount == 3 && paced.rig.modesets.count == 1 && paced.rig.log.complaints.isEmpty)
      #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 0))
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `a step that the card refuses has the mode set anew, and the line begins again`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      paced.rig.card.inject(.fail(.flip, .refused), count: 2)
      paced.beat()
      await paced.rig.waitWhile { paced.rig.modesets.count < 2 }
      await paced.lighting()
      let begun = paced.pixels()
      for steps in 1...3 {
        await paced.blank()
        #expect(isMoved(paced, from: begun, by: steps), "\(steps)")
      }
      #expect(await paced.rig.display("Virtual-1")?.state == "lit")
    }
  }

  @Test func `a card that goes between two steps is lost`() async throws {
    try await withTicker { paced, _, _ in
      await paced.blank()
      paced.rig.card.inject(.fail(.flip, .gone), count: 1)
      paced.beat()
      await paced.rig.wait { await paced.rig.display("Virtual-1")?.state == "lost" }
      // Its end is told before its buffers go.
      await paced.rig.waitWhile { paced.rig.card.liveBuffers > 0 }
      #expect(!paced.rig.card.followers.tell(Flip(crtc: 1, sequence: 99, time: 1)))
    }
  }

  @Test func `a step whose flip never comes is a stall, and the line begins again`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      paced.rig.card.inject(.swallowFlip, count: 1)
      await paced.blank()
      paced.beat(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(paced.rig.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      await paced.rig.waitWhile { paced.rig.modesets.count < 2 }
      await paced.lighting()
      let begun = paced.pixels()
      for steps in 1...3 {
        await paced.blank()
        #expect(isMoved(paced, from: begun, by: steps), "\(steps)")
      }
    }
  }

  @Test func `a painter that is late with a step is no stall, and a call that does not return is one`() async throws {
    try await withTicker { paced, _, lane in
      let (late, begun, call) = (Flag(), Flag(), Flag())
      lane.execute { late.wait() }
      let before = paced.flips
      paced.beat()
      paced.beat(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.rig.display("Virtual-1")?.state == "lit")
      late.set()
      await paced.picture(before + 1)
      await paced.director.hearPainters()
      #expect(paced.rig.log.complaints.isEmpty && paced.rig.modesets.count == 1)

      paced.rig.card.duringFlips { moment, _ in
        guard moment == .beginning else { return }
        begun.set()
        paced.rig.turns.signal()
        call.wait()
      }
      paced.beat()
      // Until then it is a painter that is late.
      await paced.rig.waitWhile { !begun.isSet }
      paced.beat(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.rig.display("Virtual-1")?.state == "lit")
      paced.beat(after: 37_000)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(paced.rig.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      call.set()
      await paced.rig.waitWhile { paced.rig.modesets.count < 2 }
      await paced.lighting()
      await paced.blank()
      #expect(await paced.rig.display("Virtual-1")?.state == "lit")
    }
  }

  @Test func `a painter that another display's call keeps up is no stall of what moves, however long that takes`()
    async throws
  {
    try await withTicker(others: 1) { paced, _, _ in
      let first = paced.pixels()
      let call = Flag()
      paced.rig.card.duringFlips { moment, display in
        guard display == "Virtual-2" && moment == .beginning else { return }
        paced.rig.turns.signal()
        call.wait()
      }
      _ = try await paced.director.setMessage(MessageRequest(text: "Held", display: "Virtual-2"))
      await paced.rig.waitWhile { director in !director.isAskingCard("Virtual-2") }
      let before = paced.flips
      paced.beat()
      paced.beat(after: 37_000)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.rig.display("Virtual-1")?.state == "lit")
      call.set()
      await paced.picture(before + 2)
      await paced.director.hearPainters()
      #expect(isMoved(paced, from: first, by: 1))
      // The call for the other display has not returned for 37 s, which is a stall of that one.
      #expect(paced.rig.log.complaints.allSatisfy { $0.hasPrefix("Virtual-2: stalled") })
    }
  }

  @Test func `a flip that comes when the display is asleep waits for no painter`() async throws {
    try await withTicker { paced, _, lane in
      await paced.blank()
      _ = try await paced.director.setAsleep(SleepRequest(asleep: true))
      let gate = Flag()
      lane.execute { gate.wait() }
      #expect(paced.rig.card.followers.tell(Flip(crtc: 1, sequence: 99, time: 1)))
      await paced.rig.waitWhile { director in director.flipsInHand("Virtual-1") > 0 }
      gate.set()
      #expect(await paced.rig.display("Virtual-1")?.state == "asleep")
    }
  }

  @Test func `a line goes on when its pictures are turned`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      let before = paced.pixels()
      await paced.director.apply(Settings(message: "Hello", rotation: .half))
      for _ in 0..<3 { await paced.blank() }
      #expect(paced.pixels() != before && paced.rig.modesets.count == 1 && paced.rig.log.complaints.isEmpty)
      let turned = paced.pixels()
      await paced.blank()
      // The other way round it goes to the right.
      let (width, step) = (PacedRig.size.width, Self.step)
      let next = paced.pixels()
      #expect(
        (0..<PacedRig.size.height).allSatisfy { y in
          next[y * width + step..<(y + 1) * width].elementsEqual(turned[y * width..<(y + 1) * width - step])
        })
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `a monitor that goes between two steps leaves nothing behind`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      try await paced.director.unplug("Virtual-1")
      paced.beat()
      await paced.director.hearPainters()
      #expect(paced.rig.card.liveBuffers == 0 && paced.rig.log.complaints.isEmpty)
      #expect(!paced.rig.card.followers.tell(Flip(crtc: 1, sequence: 99, time: 1)))
    }
  }

  @Test func `what moves with every third picture only is asked for when its time comes`() async throws {
    try await withTicker(Scene(.ticker(Ticker("Slowly", speed: 20))).document) { paced, _, _ in
      let first = paced.pixels()
      for _ in 1...4 { await paced.blank(after: 3) }
      #expect(first != paced.pixels())
      #expect(await paced.director.motion(on: "Virtual-1").missed == 0)
    }
  }
}
