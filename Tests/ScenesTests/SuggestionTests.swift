import Scenes
import Testing

struct SuggestionTests {
  @Test func `The nearest word is suggested, and nothing if no word is near`() {
    #expect(Suggestion.nearest(to: "polcy", in: ["policy", "message"]) == "policy")
    #expect(Suggestion.nearest(to: "Safe-Area", in: ["font", "safe_area"]) == "safe_area")
    #expect(Suggestion.nearest(to: "titel", in: ["id", "title"]) == "title")
    #expect(Suggestion.nearest(to: "zebra", in: ["policy", "message"]) == nil)
    #expect(Suggestion.nearest(to: "x", in: []) == nil)
  }

  @Test func `The distance counts inserted, deleted, replaced and transposed letters`() {
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
    #expect(Suggestion.distance("titel", "title") == 1 && Suggestion.distance("ca", "abc") == 3)
    #expect(Suggestion.distance("same", "same") == 0)
  }
}
