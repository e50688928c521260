extension DataTable {
  /// Returns the table with words instead of references to live values, and with the rows of its own live value.
  func filled(_ words: inout ValueWords) -> DataTable {
    var table = self
    table.title = words.filled(title)
    table.empty = words.filled(empty)
    for index in columns.indices { table.columns[index].title = words.filled(columns[index].title) }
    if let value, let found = words.rows(of: value) {
      (table.rows, table.note) = found
    } else {
      table.rows = rows.map { row in row.map { .text(words.filled($0)) } }
    }
    return table
  }
}

extension Scene {
  /// Resolves a table whose texts are final.
  func moment(of table: DataTable, _ context: ViewContext, _ wording: Wording) -> ResolvedScene {
    let marks = table.highlight.filter { !$0.isEmpty }.map { $0.lowercased() }
    let rows = table.rows.map { row in
      let cells = table.columns.indices.map { $0 < row.count ? row[$0].text : "" }
      let isMarked =
        !marks.isEmpty && cells.contains { cell in marks.contains { cell.lowercased().hasPrefix($0) } }
      return TableView.Row(cells, isHighlighted: isMarked)
    }
    // A table that a client has scrolled stays where it is.
    let usual = context.place == .start ? DataTable.usualSecondsPerPage : 0
    let paging = Paging(table.secondsPerPage ?? context.secondsPerPage ?? usual, context)
    let view = TableView(
      title: table.title, columns: table.columns, rows: rows, empty: table.empty, note: table.note,
      place: paging.place, isRightToLeft: wording.isRightToLeft)
    return moment(.table(view), context, nextChange: paging.nextChange)
  }
}

/// The visible page of a content whose pages turn by themselves.
struct Paging {
  /// The position of the page.
  var place: Place
  /// The time of the next page, in milliseconds since 1970; nil if the page stays.
  var nextChange: Int64?

  /// Creates the page at a time.
  ///
  /// - Parameters:
  ///   - seconds: The time for which each page is shown; 0 to stay on a page.
  ///   - context: The number of pages, and the time from which they turn.
  init(_ seconds: Int, _ context: ViewContext) {
    place = context.place
    guard seconds > 0, context.knownPages > 1 else { return }
    let length = Int64(min(seconds, 86400)) * 1000
    let began = ViewContext.bounded(context.began)
    let turns = max(0, ViewContext.bounded(context.now) - began) / length
    if turns > 0 { place = place.turned(turns, of: Int64(context.knownPages)) }
    nextChange = began + (turns + 1) * length
  }
}

extension Place {
  /// Returns the page after a number of page turns, wrapping around; a heading counts as the first page.
  fileprivate func turned(_ turns: Int64, of pages: Int64) -> Place {
    var page = 0
    if case .share(let share) = self { page = Place.page(at: share, of: Int(pages)) }
    return .page((page + Int(turns % pages)) % Int(pages), of: Int(pages))
  }
}
