import Displays

/// The sleep of external displays during a host suspend or while the lid is closed.
struct ControllerHold {
  /// Whether the host is suspended or its lid is closed.
  var isOn = false
  /// The displays that were woken by hand since then.
  private var awake: Set<String> = []

  /// Creates the state that applies to all displays from an event on.
  init(isOn: Bool = false) { self.isOn = isOn }

  /// Returns whether a display with a role is asleep because of the host.
  func holds(_ display: String, _ role: Role) -> Bool { isOn && role != .internal && !awake.contains(display) }

  /// Records displays that were woken or put to sleep by hand. This takes precedence until the next event.
  mutating func override(_ displays: [String], isAwake: Bool) {
    guard isOn else { return }
    if isAwake { awake.formUnion(displays) } else { awake.subtract(displays) }
  }
}
