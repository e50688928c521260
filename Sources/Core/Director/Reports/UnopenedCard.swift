import Control
import Displays

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
