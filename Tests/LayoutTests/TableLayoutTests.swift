import Geometry
import Scenes
import Testing
import Typesetting

@testable import Layout

/// Tables: their columns, sizes and pages.
struct TableLayoutTests {
  private static let style = Style(font: "DejaVu Sans")

  private func list(_ table: TableView, _ size: Size = Size(1920, 1080)) throws -> DisplayList {
    try layOut(
      View(.table(table), style: Self.style), on: DisplayMetrics(pixels: size), with: RenderResources())
  }

  private func rows(_ count: Int, _ text: String = "Harbour") -> [TableView.Row] {
    (0..<count).map { .init(["10:0\($0 % 10)", text, "\($0)"]) }
  }

  private static let columns = [
    DataTable.Column(title: "Time"), .init(title: "To"), .init(title: "Track", alignment: .end),
  ]

  private func texts(_ list: DisplayList) -> [TextItem] { list.items.compactMap(\.text) }

  @Test func `a short table is larger than one that fills a page, and a long one has pages`() throws {
    let short = try list(TableView(columns: Self.columns, rows: rows(3)))
    let full = try list(TableView(columns: Self.columns, rows: rows(10)))
    let long = try list(TableView(columns: Self.columns, rows: rows(25)))
    #expect(short.pages == 1 && full.pages == 1 && long.pages == 3)
    let sizes = [short, full, long].map { list in texts(list).map(\.run.size).max() ?? 0 }
    #expect(sizes[0] > sizes[1] && sizes[1] >= sizes[2])
    let last = try list(TableView(columns: Self.columns, rows: rows(25), place: .page(2, of: 3)))
    #expect(last.pages == 3 && texts(last).count < texts(long).count)
    #expect(try list(TableView(columns: Self.columns, rows: rows(25), place: .heading("none"))) == long)
  }

  @Test func `no page is without rows, for any number of rows`() throws {
    for count in 0...40 {
      let first = try list(TableView(columns: Self.columns, rows: rows(count)))
      var seen = 0
      for page in 0..<first.pages {
        let table = TableView(columns: Self.columns, rows: rows(count), note: nil, place: .page(page, of: first.pages))
        let cells = texts(try list(table)).count - 3 - (first.pages > 1 ? 1 : 0)
        #expect(cells.isMultiple(of: 3) && (cells > 0 || count == 0), "\(count), page \(page)")
        seen += cells / 3
      }
      #expect(seen == count)
    }
  }

  @Test func `columns stay apart, with long texts as well`() throws {
    let long = String(repeating: "University Hospital and Science Park ", count: 6)
    for size in [Size(1920, 1080), Size(800, 480), Size(1080, 1920), Size(320, 240)] {
      for weight in [nil, 1.0] {
        var columns = Self.columns
        columns[1].weight = weight
        let list = try list(TableView(title: long, columns: columns, rows: rows(4, long), note: "14:05"), size)
        let inks = texts(list).map(\.run.ink)
        for (index, ink) in inks.enumerated() {
          #expect(list.safeArea.contains(ink), "\(size) \(ink)")
          for other in inks.dropFirst(index + 1) { #expect(ink.intersection(other).isEmpty, "\(size) \(ink) \(other)") }
        }
      }
    }
  }

  @Test func `weights determine the widths`() throws {
    var columns = Self.columns
    (columns[0].weight, columns[1].weight, columns[2].weight) = (1, 1, 2)
    let table = TableView(columns: columns, rows: rows(2))
    let list = try list(table)
    let lefts = texts(list).map(\.run.ink.x).sorted()
    // The gaps of 36 pixels are beside the widths.
    let width = 1920 - 2 * (58 + 44) - 2 * 36
    #expect(abs(lefts[3] - lefts[0] - width / 4 - 36) < 24, "\(lefts)")
  }

  @Test func `the first column is at the right in a language from right to left`() throws {
    let plain = try list(TableView(columns: Self.columns, rows: rows(1)))
    let mirrored = try list(TableView(columns: Self.columns, rows: rows(1), isRightToLeft: true))
    let (time, other) = (texts(plain)[0].run.ink, texts(mirrored)[0].run.ink)
    #expect(time.x < 200 && other.right > 1720)
    #expect(texts(mirrored)[2].run.ink.x < 200)
  }

  @Test func `without columns or rows there is nothing but titles and the text for it`() throws {
    #expect(texts(try list(TableView(columns: [], rows: []))).isEmpty)
    #expect(texts(try list(TableView(title: "A", columns: [], rows: []))).count == 1)
    #expect(texts(try list(TableView(columns: Self.columns, rows: [], empty: "Nothing"))).count == 4)
    #expect(try list(TableView(columns: Self.columns, rows: [])).pages == 1)
  }
}
