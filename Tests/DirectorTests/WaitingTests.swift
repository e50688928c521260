import Testing
import Waiting

struct WaitingTests {
  @Test func `What is waited for in vain is told, and the test goes on`() async {
    var looks = 0
    await waitWhile {
      looks += 1; return looks < 3
    }
    #expect(looks == 3)
    await withKnownIssue { await waitWhile(within: .zero) { true } }
  }
}
