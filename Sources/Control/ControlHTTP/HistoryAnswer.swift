import Control

/// The display history as pages of JSON, or as one table that is written in parts.
extension Call {
  /// The permitted number of history entries in a query.
  static let historyLimits = 1...100_000
  /// The number of entries read for one part of a table.
  private static let partOfTable = 250

  func history() async throws -> Answer {
    var filter = HistoryQuery(
      since: try time("since"), until: try time("until"), display: query["display"],
      limit: try number(
        "limit", in: Self.historyLimits, "a number of lines, from 1 to \(Self.historyLimits.upperBound)"))
    filter.after = try historyPlace()
    switch query["format"] ?? "json" {
    case "json": return try await historyPage(filter)
    case "csv":
      // Refuse a table before its head is sent: later, the only way to report an error is to close the connection.
      if filter.display != nil {
        var first = filter
        first.limit = 1
        _ = try await service.history(first)
      }
      return .parts(historyTable(filter))
    case let format: throw Problem.malformed("The field format is \(format): it must be json or csv.")
    }
  }

  /// Returns one page; a full page links to the next one, which may be empty.
  private func historyPage(_ filter: HistoryQuery) async throws -> Answer {
    var filter = filter
    filter.limit = filter.limit.map { min($0, Page.limits.upperBound) }
    let lines = try await service.history(filter)
    let most = filter.limit ?? Page.limits.upperBound
    let page = try await pageQueue.run { await Page.of(lines, most: most, pausing: pageQueue) }
    let isFull = page.count < lines.count || page.count == filter.limit
    guard isFull, page.count > 0 else { return .page(page.body, next: nil) }
    return .page(page.body, next: try link(after: lines[page.count - 1].id))
  }

  /// Returns a table of all requested entries, whatever their number.
  private func historyTable(_ filter: HistoryQuery) -> AnswerParts {
    let reader = HistoryReader(service, filter, step: Self.partOfTable)
    return AnswerParts(type: "text/csv; charset=utf-8; header=present") { [pageQueue] in
      try await pageQueue.run { try await reader.next() }
    }
  }

  private func historyPlace() throws(Problem) -> String? {
    guard let text = query["after"] else { return nil }
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformed("The field after is \(text): send the target of the Link header as received.")
    }
    return text
  }
}

/// A reader that returns the history as a table, part by part.
private actor HistoryReader {
  private let service: any ControlService
  private let step: Int
  private var filter: HistoryQuery
  /// The number of entries still to be returned; nil for all.
  private var left: Int?
  private var hasBegun = false

  init(_ service: any ControlService, _ filter: HistoryQuery, step: Int) {
    self.service = service
    self.filter = filter
    self.step = step
    left = filter.limit
  }

  /// Returns the next lines of the table, or nil at the end.
  func next() async throws -> [UInt8]? {
    let head = hasBegun ? [] : HistoryTable.head
    hasBegun = true
    let most = min(step, left ?? step)
    guard most > 0 else { return nil }
    filter.limit = most
    let lines = try await service.history(filter)
    left = lines.count < most ? 0 : left.map { $0 - lines.count }
    filter.after = lines.last?.id
    return lines.isEmpty && head.isEmpty ? nil : head + HistoryTable.lines(lines)
  }
}
