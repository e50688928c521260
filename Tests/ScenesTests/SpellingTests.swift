import Scenes
import Testing

struct SpellingTests {
  @Test func `The nearest word is suggested, and nothing if no word is near`() {
    #expect(Spelling.nearest(to: "polcy", in: ["policy", "message"]) == "policy")
    #expect(Spelling.nearest(to: "Safe-Area", in: ["font", "safe_area"]) == "safe_area")
    #expect(Spelling.nearest(to: "titel", in: ["id", "title"]) == "title")
    #expect(Spelling.nearest(to: "zebra", in: ["policy", "message"]) == nil)
    #expect(Spelling.nearest(to: "x", in: []) == nil)
  }

  @Test func `The distance counts inserted, deleted, replaced and transposed letters`() {
    #expect(Spelling.distance("", "abc") == 3)
    #expect(Spelling.distance("kitten", "sitting") == 3)
    #expect(Spelling.distance("titel", "title") == 1 && Spelling.distance("ca", "abc") == 3)
    #expect(Spelling.distance("same", "same") == 0)
  }
}
