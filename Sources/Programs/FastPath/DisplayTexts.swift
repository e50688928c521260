/// The output texts of the display list, shared by the small program and the full program.
package enum DisplayTexts {
  /// The headings of the columns before those that only `--verbose` adds.
  package static var head: [String] { ["DISPLAY", "STATE", "SINCE", "MODE", "SCALE", "MONITOR"] }
  /// The heading of the last column.
  package static var lastHead: String { "SHOWS" }
  /// The headings of the columns to omit on a narrow terminal, in this order.
  package static var optional: [String] { ["SCALE", "SINCE"] }
  /// The output if the list is empty.
  package static var none: String { "No displays: connect a monitor." }
  /// The text of a cell without a value.
  package static var unknown: String { "-" }

  /// Returns a warning line for the end of the list.
  ///
  /// - Parameters:
  ///   - display: The display's name.
  ///   - text: The warning.
  /// - Returns: The line without a line break.
  package static func warning(_ display: String, _ text: String) -> String { "warning: " + display + ": " + text }
}
