import Control
import ControlClient
import Glibc
import Testing

/// A recording of a real daemon, replayed by a real `placardd`.
struct RecordedServiceTests {
  @Test func `a service that is killed and restarted continues its recording, and the replay decides the same`()
    async throws
  {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    for size in [(3840, 2160), (1280, 720)] {
      let pid = try await service.start(["--record", service.recording, "--mask-serials"])
      _ = try await client.plug(PlugRequest(display: "Virtual-2", width: size.0, height: size.1))
      _ = try await client.setMessage(MessageRequest(text: "Hello", wait: true))
      _ = try await client.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
      _ = try await client.setAsleep(SleepRequest(asleep: false, display: "Virtual-2"))
      kill(pid, SIGKILL)
      try await service.bury(pid)
    }
    #expect(try await service.replay() == 0)
    #expect(try service.complaints().isEmpty)
  }

  @Test func `a recording that cannot be written prevents the start, and the error says why`() async throws {
    let service = try KilledService()
    let pid = try await service.start(waits: false, ["--record", "/no/such/folder/recording"])
    #expect(try await service.ending(pid) == 1)
    let words = "/no/such/folder/recording: cannot be recorded to: No such file or directory; give --record a file"
    #expect(try service.complaints().contains(words))
  }
}
