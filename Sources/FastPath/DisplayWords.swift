/// The words of the list of displays, for this program and the full one.
public enum DisplayWords {
  /// The heads of the columns before those that only `--verbose` has.
  public static var head: [String] { ["DISPLAY", "STATE", "SINCE", "MODE", "SCALE", "MONITOR"] }
  /// The head of the last column.
  public static var lastHead: String { "SHOWS" }
  /// The columns that are left out on a narrow terminal, in this order.
  public static var optional: [String] { ["SCALE", "SINCE"] }
  /// The list without a display.
  public static var none: String { "No display is known: plug one in." }
  /// A cell without a value.
  public static var unknown: String { "-" }

  /// Returns the line below the list that warns of how a display shows something.
  ///
  /// - Parameters:
  ///   - display: The display's name.
  ///   - text: The warning.
  public static func warning(_ display: String, _ text: String) -> String { "warning: " + display + ": " + text }
}
