import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Service

/// The shutdown of a daemon in which something does not respond.
struct EndingTests {
  @Test func `a part that does not close ends with the process, after the state is stored`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      let ending = Shutdown(on: MultiThreadedEventLoopGroup.singleton.next())
      ending.begin("the displays")
      let signals = Signals()
      ending.limit(limits: .init(all: .milliseconds(50), state: .milliseconds(500))) {
        signals.ends(within: $0)
      } store: {
        EndingTests.say("stored")
      } log: {
        EndingTests.say($0)
      }
      while true { pause() }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("the displays did not close within 0.05 seconds: exiting without it\nstored\n"))
  }

  @Test func `signals that arrive together count as one`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      let further = Mutex(2)
      Shutdown(on: MultiThreadedEventLoopGroup.singleton.next()).limit(
        limits: .init(all: .seconds(3600), state: .zero, together: .seconds(3600))
      ) { limit in
        further.withLock { further in
          further -= 1
          return further >= 0 && limit <= .seconds(3600)
        }
      } store: {
      } log: {
        EndingTests.say($0)
      }
      while true { pause() }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("the threads did not close within 3600.0 seconds"), "\(words)")
  }

  @Test func `a second signal ends the process immediately`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      Shutdown(on: MultiThreadedEventLoopGroup.singleton.next()).limit(
        limits: .init(all: .seconds(3600), state: .seconds(3600), together: .zero)
      ) { _ in
        true
      } store: {
      } log: {
        EndingTests.say($0)
      }
      while true { pause() }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("received a second signal before the threads closed: exiting now"))
  }

  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    unsafe _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// The heartbeat of the render threads.
struct SignsOfLifeTests {
  @Test func `an unresponsive thread is noticed at the second check, and cleared when it responds`() throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { try? group.syncShutdownGracefully() }
    let loops = [group.next(), group.next()]
    let signs = ThreadLiveness(of: loops)
    func settle() throws { for loop in loops { try loop.submit {}.wait() } }
    #expect(signs.areComplete())
    try settle()
    #expect(signs.areComplete())
    try settle()
    let gate = Mutex(())
    try gate.withLock { _ in
      loops[0].execute { gate.withLock { _ in } }
      #expect(signs.areComplete(), "the previous question has been answered")
      try loops[1].submit {}.wait()
      #expect(!signs.areComplete())
    }
    try settle()
    #expect(signs.areComplete())
  }
}
