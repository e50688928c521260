import Testing

@testable import Outputs

struct AttemptsTests {
  @Test func `The results of an attempt stay until there are newer ones`() {
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
