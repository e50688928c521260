import Testing

@testable import Director

struct AttemptsTests {
  @Test func `What was tried is told until something else was tried`() {
    var attempts = Attempts()
    attempts.note("1920x1080: no memory")
    attempts.note("1280x720: set")
    attempts.begin()
    #expect(attempts.sentences == ["1920x1080: no memory", "1280x720: set"])
    attempts.note("1920x1080: set")
    #expect(attempts.sentences == ["1920x1080: set"])
    attempts.note("1920x1080: no flip came in time")
    #expect(attempts.sentences.count == 2)
  }
}
