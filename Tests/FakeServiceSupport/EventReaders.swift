package import Control
import Synchronization

/// The clients that read the events of a fake service.
package final class EventReaders: Sendable {
  /// Yields each time that a reader disconnects.
  package let gone: AsyncStream<Void>
  private let readerIsGone: AsyncStream<Void>.Continuation
  private let came: AsyncStream<Void>
  private let readerCame: AsyncStream<Void>.Continuation
  private let readers = Mutex<[AsyncStream<ControlEvent>.Continuation]>([])

  /// Creates an empty list of readers.
  package init() {
    (gone, readerIsGone) = AsyncStream.makeStream()
    (came, readerCame) = AsyncStream.makeStream()
  }

  /// Adds a reader.
  ///
  /// - Returns: The events that are sent from now on.
  package func subscribe() -> AsyncStream<ControlEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ControlEvent.self)
    continuation.onTermination = { [readerIsGone] _ in readerIsGone.yield() }
    readers.withLock { $0.append(continuation) }
    readerCame.yield()
    return stream
  }

  /// Sends an event to all readers.
  package func send(_ event: ControlEvent) { for reader in readers.withLock({ $0 }) { reader.yield(event) } }

  /// Ends the streams of all readers.
  package func end() { for reader in readers.withLock({ $0 }) { reader.finish() } }

  /// Returns after this number of readers has subscribed since the last call; for one caller.
  package func wait(for count: Int = 1) async {
    var left = count
    for await _ in came {
      left -= 1
      if left == 0 { return }
    }
  }

  /// Sends these events to the next reader and ends the streams of all readers.
  package func sendToNextReader(_ events: [ControlEvent]) async {
    await wait()
    let all = readers.withLock { readers in
      defer { readers = [] }
      return readers
    }
    for reader in all {
      for event in events { reader.yield(event) }
      reader.finish()
    }
  }
}
