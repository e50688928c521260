import Control
import Displays

extension DisplayReport.State {
  /// Creates the state that reports show for a state of a display.
  init(_ state: DisplayState) {
    self =
      switch state {
      case .dark(.asleep, _): .asleep
      case .dark(.noMonitor, _): .disconnected
      case .dark: .dark
      case .lighting: .lighting
      case .lit: .lit
      case .stalled: .stalled
      case .lost: .lost
      }
  }
}

extension DisplayReport.Cause {
  /// Creates the code that reports show for the reason that a display is dark.
  init(_ darkness: Darkness) {
    self =
      switch darkness {
      case .noMonitor: .noMonitor
      case .leftAlone: .leftAlone
      case .noMode: .noMode
      case .noCRTC: .noCRTC
      case .refused: .refused
      case .busy: .busy
      case .noMaster: .noMaster
      case .noCard: .noCard
      case .asleep: .asleep
      case .failed: .failed
      }
  }
}

extension DisplayRole {
  /// Creates the role that reports show; a connector without a role counts as external.
  init(_ role: Role?) { self = role == .internal ? .internal : .external }
}
