import Logind
import Synchronization
import Testing

@testable import Service

struct ControllerSleepTests {
  /// Returns the steps taken for some events, and those taken when the events end.
  private func steps(_ events: PowerEvent...) async -> [String] {
    let (stream, continuation) = AsyncStream.makeStream(of: PowerEvent.self)
    for event in events { continuation.yield(event) }
    continuation.finish()
    let steps = Mutex<[String]>([])
    await HostSuspend.follow(stream) { sleeps in
      steps.withLock { $0.append(sleeps ? "sleep" : "wake") }
    } release: {
      steps.withLock { $0.append("release") }
    }
    return steps.withLock { $0 }
  }

  @Test func `the host may suspend once the displays are dark, and the displays wake with it`() async {
    #expect(await steps(.willSleep, .resumed) == ["sleep", "release", "wake"])
  }

  @Test func `displays sleep while the lid is closed`() async {
    #expect(await steps(.lidClosed, .lidOpened) == ["sleep", "wake"])
  }

  @Test func `lid and suspend may overlap, and the displays wake after the last reason ends`() async {
    let nested = await steps(.lidClosed, .willSleep, .resumed, .lidOpened)
    #expect(nested == ["sleep", "sleep", "release", "sleep", "wake"])
    let crossed = await steps(.willSleep, .lidClosed, .lidOpened, .resumed)
    #expect(crossed == ["sleep", "release", "sleep", "sleep", "wake"])
  }

  @Test func `no display stays dark after the last event`() async {
    #expect(await steps(.lidClosed) == ["sleep", "wake"])
    #expect(await steps() == [])
  }
}
