import Control
import Testing

@Suite struct CSVTextTests {
  @Test(
    arguments: [
      ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a;b,c\n", [["a;b", "c"]]),
      ("a;b;c,d\r\n1;2;3\r\n", [["a", "b", "c,d"], ["1", "2", "3"]]),
      ("a\tb", [["a", "b"]]), ("\u{FEFF}a,b", [["a", "b"]]), ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
      ("\"a\nb\",c", [["a\nb", "c"]]), ("a,,\n\n,b", [["a", "", ""], ["", "b"]]), ("", []), ("\n\n", []),
      ("a\"b,c", [["a\"b", "c"]]), ("\"\",x", [["", "x"]]),
    ] as [(String, [[String]])])
  func `cells are read with any separator and quotes`(text: String, rows: [[String]]) throws {
    #expect(try CSVText.rows(of: text) == rows)
  }

  @Test(arguments: [("a,b\n\"c,d\n", "line 2 is not closed"), ("\"a\"b,c", "line 1 has text after a closing quote")])
  func `a mistake in quotes is refused with its line`(text: String, reason: String) {
    do {
      _ = try CSVText.rows(of: text)
      Issue.record("accepted")
    } catch {
      #expect(error.message.contains(reason), "\(error.message)")
    }
  }
}
