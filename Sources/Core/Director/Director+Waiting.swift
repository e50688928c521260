import Control
import Displays
import Scenes

extension Director {
  /// The reasons why cards cannot be used for now, by path.
  var waitingCards: [String: String] { unopened.mapValues(\.card.reason) }

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
        emit(.stateChanged, report.name, detail: "dark: \(card.reason)")
        emit(.dark, report.name, detail: card.reason)
      } else if old != nil {
        emit(.disconnected, report.name, detail: old?.monitor)
      }
    }
  }

  /// Removes a card that could not be used and is gone.
  func forgetWaiting(_ path: String) {
    guard let card = unopened.removeValue(forKey: path) else { return }
    for report in card.reports where report.state == .dark {
      emit(.disconnected, report.name, detail: "\(path) is gone")
    }
  }

  /// The reports of connectors whose cards cannot be used for now.
  var waitingReports: [DisplayReport] {
    unopened.values.flatMap(\.reports).map { report in
      var report = report
      report.session = store.session(on: report.name)?.id
      return report
    }
  }

  /// Returns the report of a connector whose card cannot be used for now, or nil if there is no such connector.
  func waitingReport(of display: String) -> DisplayReport? { waitingReports.first { $0.name == display } }
}

/// A card that cannot be used for now, as reports show it.
struct UnopenedCard {
  let card: WaitingCard
  let reports: [DisplayReport]

  /// Creates a card with the reports of its connectors.
  ///
  /// - Parameters:
  ///   - card: The card as its source describes it.
  ///   - before: The previous record of this card, whose connectors keep the start time of their state; nil for a new
  ///     card.
  ///   - now: The current time, in milliseconds since 1970.
  init(_ card: WaitingCard, after before: UnopenedCard?, at now: Int64) {
    self.card = card
    let isAnyConnected = card.connectors.contains { $0.status == .connected }
    reports = card.connectors.filter { $0.kind.role != nil }.map { connector in
      // If a driver cannot detect monitors, a monitor counts as connected unless another connector has one (see
      // `believed`).
      let isDark = connector.status == .connected || connector.status == .unknown && !isAnyConnected
      let state: DisplayReport.State = isDark ? .dark : .disconnected
      let old = before?.reports.first { $0.name == connector.name && $0.state == state }
      let identity = connector.edid.isEmpty ? nil : MonitorIdentity(connector)
      return DisplayReport(
        name: connector.name, state: state, reason: isDark ? card.reason : "nothing is plugged in",
        cause: .init(isDark ? card.darkness : .noMonitor), since: old?.since ?? Timestamp(milliseconds: now),
        role: .init(connector.kind.role), card: card.path, driver: card.driver ?? "unknown",
        monitor: identity?.label, identity: identity?.description, mode: nil, width: 0, height: 0, scale: 1,
        message: nil)
    }
  }
}
