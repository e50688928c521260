import Control
import FoundationEssentials
import Lab
import Testing

/// The daemon's events from a moment on.
struct Watch {
  private let process: LabProcess

  init(_ guest: GuestFixture) throws {
    process = try guest.watch("events", "--json")
    try process.waitForLine(containing: "Waiting for events", within: .generous)
  }

  /// All events so far.
  var events: [ControlEvent] {
    get throws {
      try process.lines.filter { $0.stream == .output }
        .map { try JSONDecoder().decode(ControlEvent.self, from: Data($0.text.utf8)) }
    }
  }

  /// The texts shown so far on a display.
  func shown(on display: String) throws -> [String] {
    try events.filter { $0.kind == .messageShown && $0.display == display }.compactMap(\.detail)
  }

  /// Waits for the first event that a predicate accepts, including earlier ones.
  @discardableResult
  func wait(
    for kind: ControlEvent.Kind, on display: String? = nil, saying detail: String? = nil,
    within: Duration = .generous
  ) throws -> ControlEvent {
    var line = 0
    while true {
      line = try process.waitForLine(containing: "\"\(kind.rawValue)\"", from: line, within: within) + 1
      let found = try events.first { event in
        event.kind == kind && display.map { $0 == event.display } ?? true && detail.map { $0 == event.detail } ?? true
      }
      if let found { return found }
    }
  }
}
