import Control
import Displays
import Scenes

extension Director {
  /// Records a card that cannot be used for now, or a new reason for that, with the monitors that are plugged into it.
  func noteWaiting(_ card: WaitingCard) {
    let before = unopened[card.path]
    let known = UnopenedCard(card, after: before, at: environment.wallClock())
    unopened[card.path] = known
    for report in known.reports {
      lost[report.name] = nil
      let old = before?.reports.first { $0.name == report.name }
      guard report.state != old?.state || report.reason != old?.reason else { continue }
      if report.state == .dark {
        chronicle.emit(.stateChanged, report.name, detail: "dark: \(card.reason)")
        chronicle.emit(.dark, report.name, detail: card.reason)
      } else if old != nil {
        chronicle.emit(.disconnected, report.name, detail: old?.monitor)
      }
    }
  }

  /// Removes a card that could not be used and is gone.
  func forgetWaiting(_ path: String) {
    guard let card = unopened.removeValue(forKey: path) else { return }
    for report in card.reports where report.state == .dark {
      chronicle.emit(.disconnected, report.name, detail: "\(path) is gone")
    }
  }

}
