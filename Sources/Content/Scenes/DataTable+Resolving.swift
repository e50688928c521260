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
