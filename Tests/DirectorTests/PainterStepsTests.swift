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

/// Animations that continue from flip to flip on their render thread, whatever else the director decides.
@Suite(.timeLimit(.minutes(10)))
struct PainterStepsTests {
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
  /// The pixels of an animation step: 180 logical pixels a second at 60 Hz.
  private static let step = 3

  /// Runs a test on a display whose scrolling line has made its first step, with other displays next to it.
  ///
  /// The director and the painter have their own threads.
  private func withTicker(
    _ scene: JSONValue = ticker, others: Int = 0,
    _ body: (PacedHarness, _ control: any EventLoop, _ renderLoop: any EventLoop) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let (control, renderLoop) = (group.next(), group.next())
    let paced = try await PacedHarness(loop: control, renderLoops: [renderLoop])
    for _ in 0..<others { try await paced.harness.plug(320, 240) }
    await paced.harness.rest()
    paced.harness.card.beginVBlanks()
    _ = try await paced.frame { try await paced.director.open(OpenRequest(scene: scene, display: "Virtual-1")) }
    await paced.blank()
    try await body(paced, control, renderLoop)
    await paced.director.close()
  }

  /// Returns whether the newest frame is another one, moved to the left by a number of steps.
  private func isMoved(_ paced: PacedHarness, from other: [UInt32], by steps: Int) -> Bool {
    let (frame, width, distance) = (paced.pixels(), PacedHarness.size.width, steps * Self.step)
    return (0..<PacedHarness.size.height).allSatisfy { y in
      let row = y * width
      return frame[row..<row + width - distance].elementsEqual(other[row + distance..<row + width])
    }
  }

  @Test func `a line scrolls while the director is blocked, and the reports are handled later`() async throws {
    try await withTicker { paced, control, _ in
      let first = paced.pixels()
      let gate = Flag()
      control.execute { gate.wait() }
      for steps in 1...5 {
        let flips = paced.flips
        paced.vblank()
        await paced.frame(flips + 1)
        #expect(isMoved(paced, from: first, by: steps), "\(steps)")
      }
      let flips = paced.flips
      paced.vblank(after: 3)
      await paced.frame(flips + 1)
      #expect(isMoved(paced, from: first, by: 8))
      gate.set()
      await paced.director.waitForPainters()
      #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 2))
      let report = await paced.harness.display("Virtual-1")
      #expect(report?.missedFrames == 2 && report?.missedInARow == 2 && report?.state == .lit)
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
      await paced.blank()
      #expect(isMoved(paced, from: first, by: 9))
    }
  }

  @Test func `a message during an animation follows the pending frame`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      _ = try await paced.director.setMessage(MessageRequest(text: "Stand still"))
      let before = paced.flips
      await paced.blank()
      #expect(paced.flips == before + 1)
      await paced.lastBlank()
      #expect(await paced.harness.display("Virtual-1")?.message == "Stand still")
      #expect(
        !paced.harness.card.followers.deliver(Flip(crtc: 1, sequence: 99, time: 1)), "the director gets the flips again"
      )
      await paced.lastBlank()
      #expect(paced.flips == before + 1)
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  private static func zones(_ main: Scene) -> JSONValue {
    Scene(.zones(Zones(main, [.init(.bottom, Scene(.ticker(Ticker("Gate 17 is boarding now"))), size: 0.25)])))
      .document
  }

  /// Returns the upper half of a frame, without the line.
  private func upper(_ frame: [UInt32]) -> [UInt32] { Array(frame.prefix(frame.count / 2)) }

  @Test func `content beside a line changes in its next frame, while the director is blocked`() async throws {
    let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true)))
    try await withTicker(Self.zones(clock)) { paced, control, _ in
      for second in 1...3 {
        for _ in 0..<3 { await paced.blank() }
        paced.harness.clock.now += 1000
        await paced.director.momentCame()
        #expect(await paced.director.hasOffered("Virtual-1"), "\(second)")
        await paced.director.waitForPainters()
        let (gate, before, flips) = (Flag(), paced.pixels(), paced.flips)
        control.execute { gate.wait() }
        paced.vblank()
        await paced.frame(flips + 1)
        #expect(upper(paced.pixels()) != upper(before), "\(second)")
        gate.set()
        await paced.director.waitForPainters()
        #expect(await !paced.director.hasOffered("Virtual-1"))
        let changed = paced.pixels()
        await paced.blank()
        #expect(upper(paced.pixels()) == upper(changed), "\(second)")
      }
      #expect(await paced.director.motion(on: "Virtual-1").missed == 0)
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `content beside a line counts as shown with its own flip`() async throws {
    try await withTicker(Self.zones(.banner("One"))) { paced, _, _ in
      await paced.blank()
      let request = OpenRequest(scene: Self.zones(.banner("Two")), display: "Virtual-1", wait: true)
      async let opened = paced.director.open(request)
      await paced.harness.waitWhile { director in !director.hasOffered("Virtual-1") }
      await paced.director.waitForPainters()
      let before = paced.pixels()
      await paced.blank()
      #expect(upper(paced.pixels()) != upper(before), "the frame was requested")
      #expect(await paced.harness.display("Virtual-1")?.message == "One", "its flip has not arrived")
      await paced.blank()
      #expect(await paced.harness.display("Virtual-1")?.message == "Two")
      _ = try await opened
    }
  }

  @Test func `content that changes faster than the display is offered once per frame, and the newest appears`()
    async throws
  {
    try await withTicker(Self.zones(.banner("0"))) { paced, _, _ in
      var last = 0
      for _ in 0..<4 {
        for _ in 0..<5 {
          last += 1
          _ = try await paced.director.open(
            OpenRequest(scene: Self.zones(.banner("\(last)")), display: "Virtual-1"))
        }
        await paced.director.waitForPainters()
        await paced.blank()
      }
      await paced.blank()
      await paced.blank()
      #expect(await paced.harness.display("Virtual-1")?.message == "\(last)")
      #expect(await paced.director.motion(on: "Virtual-1").missed == 0)
    }
  }

  @Test func `a flip that was not requested does not move the line`() async throws {
    try await withTicker { paced, _, renderLoop in
      let first = paced.pixels()
      let before = paced.flips
      let gate = Flag()
      renderLoop.execute { gate.wait() }
      paced.vblank()
      #expect(paced.harness.card.followers.deliver(Flip(crtc: 1, sequence: 99, time: 1)))
      gate.set()
      await paced.frame(before + 1)
      await paced.director.waitForPainters()
      #expect(paced.flips == before + 1 && isMoved(paced, from: first, by: 1))
      await paced.blank()
      #expect(paced.flips == before + 2 && isMoved(paced, from: first, by: 2))
    }
  }

  @Test func `an animation frame that fails because the card is busy is presented again`() async throws {
    try await withTicker { paced, _, _ in
      let first = paced.pixels()
      for steps in 1...6 {
        if steps % 2 == 0 { paced.harness.card.inject(.busyFlip, count: 1) }
        await paced.blank()
        #expect(isMoved(paced, from: first, by: steps), "\(steps)")
      }
      #expect(
        paced.harness.card.injectedFaultCount == 3 && paced.harness.modesets.count == 1
          && paced.harness.log.complaints.isEmpty)
      #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 0))
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `a refused animation frame leads to a modeset, and the line restarts`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      paced.harness.card.inject(.fail(.flip, .refused), count: 2)
      paced.vblank()
      await paced.harness.waitWhile { paced.harness.modesets.count < 2 }
      await paced.lighting()
      let begun = paced.pixels()
      for steps in 1...3 {
        await paced.blank()
        #expect(isMoved(paced, from: begun, by: steps), "\(steps)")
      }
      #expect(await paced.harness.display("Virtual-1")?.state == .lit)
    }
  }

  @Test func `a card that is removed between two animation frames is lost`() async throws {
    try await withTicker { paced, _, _ in
      await paced.blank()
      paced.harness.card.inject(.fail(.flip, .gone), count: 1)
      paced.vblank()
      await paced.harness.wait { await paced.harness.display("Virtual-1")?.state == .lost }
      // The director reports the removal before it frees the buffers.
      await paced.harness.waitWhile { paced.harness.card.liveBuffers > 0 }
      #expect(!paced.harness.card.followers.deliver(Flip(crtc: 1, sequence: 99, time: 1)))
    }
  }

  @Test func `an animation frame whose flip never arrives is a stall, and the line restarts`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      paced.harness.card.inject(.swallowFlip, count: 1)
      await paced.blank()
      paced.vblank(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(paced.harness.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      await paced.harness.waitWhile { paced.harness.modesets.count < 2 }
      await paced.lighting()
      let begun = paced.pixels()
      for steps in 1...3 {
        await paced.blank()
        #expect(isMoved(paced, from: begun, by: steps), "\(steps)")
      }
    }
  }

  @Test func `a late painter is not a stall, and a flip request that does not return is one`() async throws {
    try await withTicker { paced, _, renderLoop in
      let (late, begun, call) = (Flag(), Flag(), Flag())
      renderLoop.execute { late.wait() }
      let before = paced.flips
      paced.vblank()
      paced.vblank(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.harness.display("Virtual-1")?.state == .lit)
      late.set()
      await paced.frame(before + 1)
      await paced.director.waitForPainters()
      #expect(paced.harness.log.complaints.isEmpty && paced.harness.modesets.count == 1)

      paced.harness.card.duringFlips { moment, _ in
        guard moment == .beginning else { return }
        begun.set()
        paced.harness.turns.signal()
        call.wait()
      }
      paced.vblank()
      // Before the request begins, the painter counts as late.
      await paced.harness.waitWhile { !begun.isSet }
      paced.vblank(after: 3700)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.harness.display("Virtual-1")?.state == .lit)
      paced.vblank(after: 37_000)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(paced.harness.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      call.set()
      await paced.harness.waitWhile { paced.harness.modesets.count < 2 }
      await paced.lighting()
      await paced.blank()
      #expect(await paced.harness.display("Virtual-1")?.state == .lit)
    }
  }

  @Test func `a painter blocked by another display's flip request is not a stall of a scrolling line`() async throws {
    try await withTicker(others: 1) { paced, _, _ in
      let first = paced.pixels()
      let call = Flag()
      paced.harness.card.duringFlips { moment, display in
        guard display == "Virtual-2" && moment == .beginning else { return }
        paced.harness.turns.signal()
        call.wait()
      }
      // The answer waits for the painter.
      async let held = paced.director.setMessage(MessageRequest(text: "Held", display: "Virtual-2"))
      await paced.harness.waitWhile { director in !director.isAskingCard("Virtual-2") }
      let before = paced.flips
      paced.vblank()
      paced.vblank(after: 37_000)
      await paced.director.deadlinePassed("Virtual-1")
      #expect(await paced.harness.display("Virtual-1")?.state == .lit)
      call.set()
      _ = try await held
      await paced.frame(before + 2)
      await paced.director.waitForPainters()
      #expect(isMoved(paced, from: first, by: 1))
      // The flip request of the other display has not returned for 37 s, which is a stall of that display.
      #expect(paced.harness.log.complaints.allSatisfy { $0.hasPrefix("Virtual-2: stalled") })
    }
  }

  @Test func `a flip of a sleeping display does not wait for the painter`() async throws {
    try await withTicker { paced, _, renderLoop in
      await paced.blank()
      _ = try await paced.director.setAsleep(SleepRequest(asleep: true))
      let gate = Flag()
      renderLoop.execute { gate.wait() }
      #expect(paced.harness.card.followers.deliver(Flip(crtc: 1, sequence: 99, time: 1)))
      await paced.harness.waitWhile { director in director.flipsInHand("Virtual-1") > 0 }
      gate.set()
      #expect(await paced.harness.display("Virtual-1")?.state == .asleep)
    }
  }

  @Test func `a line scrolls on after its display is rotated`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      let before = paced.pixels()
      await paced.director.apply(Settings(message: "Hello", rotation: .half))
      for _ in 0..<3 { await paced.blank() }
      #expect(paced.pixels() != before && paced.harness.modesets.count == 1 && paced.harness.log.complaints.isEmpty)
      let turned = paced.pixels()
      await paced.blank()
      // Upside down, the line scrolls to the right.
      let (width, step) = (PacedHarness.size.width, Self.step)
      let next = paced.pixels()
      #expect(
        (0..<PacedHarness.size.height).allSatisfy { y in
          next[y * width + step..<(y + 1) * width].elementsEqual(turned[y * width..<(y + 1) * width - step])
        })
      #expect(await paced.director.serials(on: "Virtual-1").areEqual)
    }
  }

  @Test func `a monitor that is unplugged between two animation frames leaks no buffer`() async throws {
    try await withTicker { paced, _, _ in
      for _ in 0..<3 { await paced.blank() }
      try await paced.director.unplug("Virtual-1")
      paced.vblank()
      await paced.director.waitForPainters()
      #expect(paced.harness.card.liveBuffers == 0 && paced.harness.log.complaints.isEmpty)
      #expect(!paced.harness.card.followers.deliver(Flip(crtc: 1, sequence: 99, time: 1)))
    }
  }

  @Test func `a line that moves at every third frame misses none`() async throws {
    try await withTicker(Scene(.ticker(Ticker("Slowly", speed: 20))).document) { paced, _, _ in
      let first = paced.pixels()
      for _ in 1...4 { await paced.blank(after: 3) }
      #expect(first != paced.pixels())
      #expect(await paced.director.motion(on: "Virtual-1").missed == 0)
    }
  }
}
