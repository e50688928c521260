import JSON
import Testing

@testable import Scenes

/// Tables: their documents, rows from live values, and pages.
struct TableTests {
  private static let noon: Int64 = 1_795_867_200_000

  private func table(
    _ document: JSONValue, values: [LiveValue] = [], language: String? = nil, pages: Int = 1, after: Int64 = 0
  ) throws -> (table: TableView, moment: ResolvedScene) {
    var style = Style()
    style.language = language
    let zones = ZoneCache()
    var context = ViewContext(now: Self.noon + after, style: style, zones: zones, pages: pages, began: Self.noon)
    context.values = Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0) })
    let moment = try Scene(kept: document).view(in: context)
    guard case .table(let table) = moment.view.content else {
      throw DocumentError(reason: "it is a \(moment.seen.kind)")
    }
    return (table, moment)
  }

  private static let document: JSONValue = [
    "kind": "table", "title": "Departures",
    "columns": [["title": "Time"], ["title": "To", "weight": 3], ["title": "km", "align": "end"]],
    "rows": [["10:04", "Harbour", JSONValue(1234.5)], ["10:09"], ["10:15", "{{gate | else Old Town}}", 3, "more"]],
    "highlight": ["HARB"],
  ]

  private static func document(with key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = document else { return document }
    members[key] = value
    return .object(members)
  }

  @Test func `each row has a cell for each column`() throws {
    let (table, moment) = try table(Self.document)
    #expect(table.title == "Departures" && table.columns.map(\.alignment) == [.start, .start, .end])
    #expect(
      table.rows == [
        .init(["10:04", "Harbour", "1,234.5"], isHighlighted: true), .init(["10:09", "", ""]),
        .init(["10:15", "Old Town", "3"]),
      ])
    #expect(moment.nextChange == nil && moment.seen.summary == "Departures")
    #expect(try self.table(Self.document, language: "de").table.rows[0].cells[2] == "1.234,5")
    let arabic = try self.table(Self.document, language: "ar-EG").table
    #expect(arabic.isRightToLeft && arabic.rows[2].cells[2] == "٣")
    #expect(try Scene(kept: Self.document).document == Scene(kept: Scene(kept: Self.document).document).document)
  }

  @Test func `the rows of a live value replace those of the table, and say when they are too old`() throws {
    let document = Self.document(with: "value", "trains")
    let rows: [[DataTable.Cell]] = [[.text("11:00"), .text("{{gate}} Airport"), .number("7")]]
    let value = LiveValue("trains", .rows(rows), maxAge: 60_000, updated: Self.noon)
    let (missing, moment) = try table(document)
    #expect(missing.rows.count == 3 && moment.isOutdated && moment.values == ["gate", "trains"])
    #expect(moment.warnings == ["there is no value trains; `placard set trains --csv FILE` sets it"])
    let (fresh, later) = try table(document, values: [value])
    #expect(fresh.rows == [.init(["11:00", "{{gate}} Airport", "7"])] && fresh.note == nil)
    #expect(later.nextChange == Self.noon + 60_000 && !later.isOutdated)
    let (old, last) = try table(document, values: [value], after: 60_000)
    #expect(old.rows == fresh.rows && old.note != nil && last.isOutdated)
    #expect(last.warnings == ["the value trains is too old"])
    let text = LiveValue("trains", .text("no trains"))
    #expect(try table(document, values: [text]).table.rows == [.init(["no trains", "", ""])])
  }

  @Test func `pages turn by themselves`() throws {
    let (first, moment) = try table(Self.document, pages: 3)
    #expect(first.place == .start && moment.nextChange == Self.noon + 10_000)
    #expect(try table(Self.document, pages: 3, after: 20_000).table.place == .page(2, of: 3))
    #expect(try table(Self.document, pages: 3, after: 30_000).table.place == .page(0, of: 3))
    let still = try table(Self.document(with: "seconds_per_page", 0), pages: 3, after: 30_000)
    #expect(still.table.place == .start && still.moment.nextChange == nil)
  }

  @Test(
    arguments: [
      (["kind": "table"], "`columns` is missing"),
      (["kind": "table", "columns": [["weight": 0]]], "`columns[0].weight` is 0"),
      (["kind": "table", "columns": [], "rows": ["a"]], "`rows[0]`"),
      (["kind": "table", "columns": [], "rows": [["a", true]]], "`rows[0][1]` must be a text or a number"),
      (["kind": "table", "columns": [], "rows": [["{{a | b}}"]]], "`rows[0][0]` has the value {{a | b}}"),
      (["kind": "table", "columns": [], "value": "a b"], "`value` is \"a b\""),
      (
        ["kind": "table", "columns": [], "rows": [[.number("1e999999999")]]], "`rows[0][0]` must be a text or a number"
      ),
      (["kind": "table", "columns": [["align": "left"]]], "`columns[0].align`"),
    ] as [(JSONValue, String)])
  func `a table with a mistake is refused`(document: JSONValue, reason: String) {
    do throws(DocumentError) {
      _ = try Scene(kept: document)
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }
}
