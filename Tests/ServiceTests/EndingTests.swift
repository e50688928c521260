import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Service

/// The end of a service in which something does not answer.
struct EndingTests {
  @Test func `what does not close ends with the process, after the state is stored`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      let ending = Ending()
      ending.begin("the displays")
      let signals = Signals()
      ending.limit(limits: (.milliseconds(50), .milliseconds(500))) {
        signals.ends(within: $0)
      } store: {
        EndingTests.say("stored")
      } log: {
        EndingTests.say($0)
      }
      while true { pause() }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("the displays did not close within 0.05 seconds: ending without that\nstored\n"))
  }

  @Test func `a second signal ends it at once`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      Ending().limit(limits: (.seconds(3600), .seconds(3600))) { _ in
        true
      } store: {
      } log: {
        EndingTests.say($0)
      }
      while true { pause() }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("a second signal came before the threads had closed: ending at once"))
  }

  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    unsafe _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// Signs of life of threads.
struct SignsOfLifeTests {
  @Test func `a thread that answers nothing is noticed with the second question, and forgiven when it answers`() throws
  {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { try? group.syncShutdownGracefully() }
    let loops = [group.next(), group.next()]
    let signs = SignsOfLife(of: loops)
    func settle() throws { for loop in loops { try loop.submit {}.wait() } }
    #expect(signs.areComplete())
    try settle()
    #expect(signs.areComplete())
    try settle()
    let gate = Mutex(())
    try gate.withLock { _ in
      loops[0].execute { gate.withLock { _ in } }
      #expect(signs.areComplete(), "the question before was answered")
      try loops[1].submit {}.wait()
      #expect(!signs.areComplete())
    }
    try settle()
    #expect(signs.areComplete())
  }
}
