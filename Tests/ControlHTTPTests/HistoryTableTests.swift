import Control
import Testing

@testable import ControlHTTP

struct HistoryTableTests {
  @Test(
    "A field that a spreadsheet would read as a formula begins with a single quote",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""),
      ("=A1,B1", "\"'=A1,B1\""), ("=\"a\"", "\"'=\"\"a\"\"\""), ("1=1", "1=1"), ("", ""),
    ])
  func formula(what: String, field: String) throws {
    let line = HistoryLine(
      id: "1", display: "DP-1", monitor: "M", session: nil, kind: "banner", what: what,
      began: Timestamp(milliseconds: 0),
      ended: nil, exact: true)
    let table = String(decoding: HistoryTable.head + HistoryTable.lines([line]), as: UTF8.self)
    #expect(table.hasSuffix("\r\nDP-1,M,,banner,\(field),1970-01-01T00:00:00.000Z,,0,,true\r\n"), "\(table)")
  }
}
