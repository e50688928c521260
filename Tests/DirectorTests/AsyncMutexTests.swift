import Testing

@testable import Director

@MainActor
struct AsyncMutexTests {
  @Test func `concurrent callers wait, and are served in the order in which they asked`() async {
    let mutex = AsyncMutex()
    let (starts, started) = AsyncStream.makeStream(of: Int.self)
    var order: [Int] = []
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      await mutex.run {
        started.yield(0)
        for await _ in gate { break }
        order.append(0)
      }
    }
    for await _ in starts { break }
    let others = (1...5).map { number in Task { await mutex.run { order.append(number) } } }
    // All others ask while the first one holds the mutex, because the main actor runs its tasks in order.
    await Task {}.value
    open.finish()
    for task in others + [first] { await task.value }
    #expect(order == [0, 1, 2, 3, 4, 5])
    #expect(!mutex.isTaken)
  }

  @Test func `all waiters for the end are resumed, and not before the last caller is served`() async {
    let mutex = AsyncMutex()
    await mutex.ended()
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    var isDone = false
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      await mutex.run {
        started.yield()
        for await _ in gate { break }
      }
    }
    for await _ in starts { break }
    let waiters = (0..<3).map { _ in
      Task {
        await mutex.ended()
        return isDone
      }
    }
    let second = Task { await mutex.run { isDone = true } }
    await Task {}.value
    open.finish()
    for waiter in waiters { #expect(await waiter.value) }
    await first.value
    await second.value
  }
}
