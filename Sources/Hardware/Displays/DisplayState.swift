/// The state of a display, with the words used by the log, the API and the command line.
package enum DisplayState: Hashable, Sendable {
  /// Nothing is shown, for a known reason.
  case dark(Darkness, reason: String)
  /// Modes are being tried, or the first flip of a new mode is pending.
  case lighting
  /// A flip of the current mode was received.
  case lit
  /// A flip is overdue: the same mode or the next fallback mode is being set.
  case stalled(reason: String)
  /// The card is gone, and the display with it.
  case lost(reason: String)

  /// One of `lit`, `lighting`, `stalled`, `lost`, `asleep`, `disconnected` and `dark`.
  package var word: String {
    switch self {
    case .dark(.asleep, _): "asleep"
    case .dark(.noMonitor, _): "disconnected"
    case .dark: "dark"
    case .lighting: "lighting"
    case .lit: "lit"
    case .stalled: "stalled"
    case .lost: "lost"
    }
  }

  /// The reason that the display shows nothing or nothing new, as a sentence; nil while it is lit or lighting.
  package var reason: String? {
    switch self {
    case .dark(_, let reason), .stalled(let reason), .lost(let reason): reason
    case .lighting, .lit: nil
    }
  }

  /// The category of the reason that the display is dark; nil in other states.
  package var darkness: Darkness? {
    if case .dark(let darkness, _) = self { darkness } else { nil }
  }

  /// Returns true if the states differ at most in the text of their reasons.
  package func isSame(as other: DisplayState) -> Bool { word == other.word && darkness == other.darkness }
}

/// The reason that a display is dark.
package enum Darkness: String, Hashable, Sendable, CaseIterable {
  /// No monitor is connected.
  case noMonitor
  /// The connector does not show messages: a head-mounted display, or a secondary tile of a monitor.
  case leftAlone
  /// The monitor lists no usable mode; its EDID may be late.
  case noMode
  /// No CRTC of the card is free.
  case noCRTC
  /// The card rejected all modes.
  case refused
  /// The card is busy (EBUSY).
  case busy
  /// Another program is DRM master.
  case noMaster
  /// The card cannot be opened, or does not respond.
  case noCard
  /// The display was put to sleep.
  case asleep
  /// Any other failure; see the reason.
  case failed
}

extension DisplayState: CustomStringConvertible {
  /// The word and the reason, such as `dark: the card's CRTCs are taken by other displays`.
  package var description: String {
    guard let reason else { return word }
    return reason.hasPrefix(word) ? reason : "\(word): \(reason)"
  }
}
