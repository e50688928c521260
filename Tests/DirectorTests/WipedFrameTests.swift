import Configuration
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Frames that the hardware erases: QEMU's VGA clears its memory when a mode is enabled, also for the kernel's console.
@Suite(.timeLimit(.minutes(10)))
struct WipedFrameTests {
  private let harness = Harness(Settings(message: "Hello"))

  /// Whether the frame on screen is complete: black is neither the color of the text nor that of the background.
  private var isComplete: Bool { harness.card.scanout("Virtual-1").map { !$0.pixels.contains(0) } ?? false }

  private func checkFirstFrames() async {
    await harness.director.firstFrameIsDue("Virtual-1")
    await harness.drain()
  }

  @Test func `a first frame that its modeset erases is painted again`() async throws {
    let card = harness.card
    card.during(.light) { card.wipe() }
    await harness.start()
    try await harness.plug(640, 480)
    await harness.drain()
    #expect(isComplete)
    #expect(harness.log.lines.contains { $0.contains("the first frame was wiped") })
  }

  @Test func `a frame that is erased after the first flip is painted again`() async throws {
    await harness.start()
    try await harness.plug(640, 480)
    await harness.rest()
    harness.card.wipe()
    #expect(!isComplete)
    await checkFirstFrames()
    #expect(isComplete)
  }

  @Test(arguments: [false, true])
  func `a buffer that is erased while a message is shown is painted as a whole`(isShownBefore: Bool) async throws {
    await harness.start()
    try await harness.plug(640, 480)
    await harness.rest()
    if isShownBefore { _ = try await harness.show("One", on: "Virtual-1") }
    harness.card.wipe()
    if !isShownBefore { _ = try await harness.show("One", on: "Virtual-1") }
    await checkFirstFrames()
    #expect(isComplete)
    for text in ["Two", "Three"] {
      _ = try await harness.show(text, on: "Virtual-1")
      await harness.rest()
      #expect(isComplete, "\(text)")
    }
  }
}
