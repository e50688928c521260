import Control
import JSON
import Scenes

/// The live values: their reports, and the meaning of requests for them.
extension ServiceState {
  /// Returns part of the list of live values.
  func values(after place: ListPlace?, most: Int) -> ListPart<ValueReport> {
    store.valueNames.part(after: place, most: most, by: { $0 }) { name in
      store.values[name].map(report)
        ?? ValueReport(name: name, value: .string(""), updated: Timestamp(milliseconds: 0))
    }
  }

  /// Returns the report of a live value.
  func value(_ name: String) throws(ControlError) -> ValueReport {
    guard let value = store.values[name] else { throw ControlError(.noValue(name)) }
    return report(value)
  }

  private func report(_ value: LiveValue) -> ValueReport {
    let content: JSONValue =
      switch value.content {
      case .number(let text): .number(text)
      case .text(let text): .string(text)
      case .rows(let rows): .array(rows.map { .array($0.map(\.json)) })
      }
    return ValueReport(
      name: value.name, value: content, unit: value.unit, maxAge: value.maxAge.map { Int($0 / 1000) },
      updated: Timestamp(milliseconds: value.updated), isOld: value.isOld(at: now),
      displays: outputs.filter { $0.values.contains(value.name) }.map(\.name))
  }

  /// Returns the value that a request describes.
  func value(_ name: String, _ request: ValueRequest) throws(ControlError) -> LiveValue {
    try mustBeName(name, field: "name", Name.refusal(of:))
    return LiveValue(
      name, try content(request.value), unit: request.unit, maxAge: request.maxAge.map { Int64($0) * 1000 })
  }

  private func content(_ value: JSONValue) throws(ControlError) -> LiveValue.Content {
    switch value {
    case .number(let text):
      guard let number = Double(text), number.isFinite, text.utf8.count <= 40 else {
        throw ControlError(.invalid, "`value` is the number \(text.prefix(40)), which is too large")
      }
      return .number(text)
    case .string(let text):
      try mustFit(text, ValueRequest.mostBytes, "`value`")
      return .text(text)
    case .array(let rows):
      guard rows.count <= ValueRequest.mostRows else {
        throw ControlError(.invalid, "`value` has \(rows.count) rows: it may have at most \(ValueRequest.mostRows)")
      }
      var cells: [[DataTable.Cell]] = []
      for (index, row) in rows.enumerated() { cells.append(try self.cells(row, "row \(index + 1) of `value`")) }
      return .rows(cells)
    case .null, .bool, .object:
      throw ControlError(
        .invalid, "`value` is \(value.kind): it must be a number, a text, or an array of rows, each an array of cells")
    }
  }

  private func cells(_ row: JSONValue, _ place: String) throws(ControlError) -> [DataTable.Cell] {
    guard case .array(let cells) = row else {
      throw ControlError(.invalid, "\(place) is \(row.kind): it must be an array of texts and numbers")
    }
    guard cells.count <= ValueRequest.mostCells else {
      throw ControlError(
        .invalid, "\(place) has \(cells.count) cells: it may have at most \(ValueRequest.mostCells)")
    }
    var found: [DataTable.Cell] = []
    for value in cells {
      guard let cell = DataTable.Cell(value) else {
        throw ControlError(.invalid, "\(place) has \(value.kind): a cell must be a text or a number")
      }
      try mustFit(cell.text, ValueRequest.mostCellBytes, "a cell in \(place)")
      found.append(cell)
    }
    return found
  }

  private func mustFit(_ text: String, _ most: Int, _ place: String) throws(ControlError) {
    guard text.utf8.count > most else { return }
    throw ControlError(.invalid, "\(place) has \(text.utf8.count) bytes: it may have at most \(most)")
  }
}
