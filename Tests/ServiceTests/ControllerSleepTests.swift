import Logind
import Synchronization
import Testing

@testable import Service

struct ControllerSleepTests {
  /// What is done for these events, and when they end.
  private func steps(_ events: PowerEvent...) async -> [String] {
    let (stream, continuation) = AsyncStream.makeStream(of: PowerEvent.self)
    for event in events { continuation.yield(event) }
    continuation.finish()
    let steps = Mutex<[String]>([])
    await ControllerSleep.follow(stream) { sleeps in
      steps.withLock { $0.append(sleeps ? "sleep" : "wake") }
    } release: {
      steps.withLock { $0.append("release") }
    }
    return steps.withLock { $0 }
  }

  @Test func `The machine is let go when the displays are dark, and they wake with it`() async {
    #expect(await steps(.willSleep, .resumed) == ["sleep", "release", "wake"])
  }

  @Test func `Displays sleep while the lid is closed`() async {
    #expect(await steps(.lidClosed, .lidOpened) == ["sleep", "wake"])
  }

  @Test func `Lid and sleep may overlap: each event counts anew, and the last reason wakes`() async {
    let nested = await steps(.lidClosed, .willSleep, .resumed, .lidOpened)
    #expect(nested == ["sleep", "sleep", "release", "sleep", "wake"])
    let crossed = await steps(.willSleep, .lidClosed, .lidOpened, .resumed)
    #expect(crossed == ["sleep", "release", "sleep", "sleep", "wake"])
  }

  @Test func `No display stays dark when nothing more is heard`() async {
    #expect(await steps(.lidClosed) == ["sleep", "wake"])
    #expect(await steps() == [])
  }
}
