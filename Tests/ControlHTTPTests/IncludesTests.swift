import Control
import Testing

@Test(arguments: [
  ("no scalable font", "scalable", true), ("font", "font", true), ("font", "fonts", false), ("", "", true),
  ("", "a", false), ("a", "", true), ("aab", "ab", true), ("Größe", "öß", true), ("e\u{301}", "e", true),
])
func `A text contains another one, compared by bytes`(text: String, part: String, isIncluded: Bool) {
  #expect(text.includes(part) == isIncluded)
  #expect(text[...].includes(part[...]) == isIncluded)
}
