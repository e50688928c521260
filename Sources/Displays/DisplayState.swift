/// Where a display stands, in the words that the log, the API and the command line use.
public enum DisplayState: Hashable, Sendable {
  /// Nothing is shown, for a reason that is known.
  case dark(Darkness, reason: String)
  /// Modes are being tried, or one was set whose first flip has not come yet.
  case lighting
  /// A flip of the mode that is set has come.
  case lit
  /// Flips came, or were due, and come no more: the mode is being set again, or the next one.
  case stalled(reason: String)
  /// The card went away with the display.
  case lost(reason: String)

  /// `lit`, `lighting`, `stalled`, `lost`, and of what is dark `asleep`, `disconnected` or `dark`.
  public var word: String {
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

  /// Why it shows nothing, or nothing new, in a sentence; nil while it is lit or about to be.
  public var reason: String? {
    switch self {
    case .dark(_, let reason), .stalled(let reason), .lost(let reason): reason
    case .lighting, .lit: nil
    }
  }

  /// Why it is dark, in a word; nil where it is not.
  public var darkness: Darkness? {
    if case .dark(let darkness, _) = self { darkness } else { nil }
  }

  /// Whether it is the same but for the words of the reason.
  public func isSame(as other: DisplayState) -> Bool { word == other.word && darkness == other.darkness }
}

/// Why a display is dark.
public enum Darkness: String, Hashable, Sendable, CaseIterable {
  /// Nothing is plugged in.
  case noMonitor
  /// What is plugged in is no display for messages: a head-mounted one, or a part of a monitor that is shown whole.
  case leftAlone
  /// A monitor is there, and lists no mode that can be used; its EDID may be late.
  case noMode
  /// The card has no CRTC left for it.
  case noCRTC
  /// The card took none of its modes.
  case refused
  /// The card did not find the time (EBUSY).
  case busy
  /// Another program is DRM master.
  case noMaster
  /// The card cannot be opened, or does not answer.
  case noCard
  /// It was sent to sleep.
  case asleep
  /// Anything else; the reason says what.
  case failed
}

extension DisplayState: CustomStringConvertible {
  /// `lit`, or `dark: the card's CRTCs are taken by other displays`.
  public var description: String {
    guard let reason else { return word }
    return reason.hasPrefix(word) ? reason : "\(word): \(reason)"
  }
}
