import Testing

@testable import Director

@MainActor
struct TurnTests {
  @Test func `who asks in between waits, and all are served in the order in which they asked`() async {
    let turn = Turn()
    let (news, told) = AsyncStream.makeStream(of: Int.self)
    var order: [Int] = []
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      await turn.take {
        told.yield(0)
        for await _ in gate { break }
        order.append(0)
      }
    }
    for await _ in news { break }
    let others = (1...5).map { number in Task { await turn.take { order.append(number) } } }
    // All others ask while the first one has it: the main actor runs its tasks in order.
    await Task {}.value
    open.finish()
    for task in others + [first] { await task.value }
    #expect(order == [0, 1, 2, 3, 4, 5])
    #expect(!turn.isTaken)
  }

  @Test func `its end is told to all who wait for it, and not before the last is served`() async {
    let turn = Turn()
    await turn.ended()
    let (news, told) = AsyncStream.makeStream(of: Void.self)
    var isDone = false
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      await turn.take {
        told.yield()
        for await _ in gate { break }
      }
    }
    for await _ in news { break }
    let onlookers = (0..<3).map { _ in
      Task {
        await turn.ended()
        return isDone
      }
    }
    let second = Task { await turn.take { isDone = true } }
    await Task {}.value
    open.finish()
    for onlooker in onlookers { #expect(await onlooker.value) }
    await first.value
    await second.value
  }
}
