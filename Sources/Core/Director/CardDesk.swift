import Displays

/// What is known of one card.
final class CardDesk {
  let card: any DisplayCard
  var snapshot: CardSnapshot?
  var outputs: [String: Output] = [:]
  /// One plan at a time is made and carried out, so that no two give the same CRTC to different outputs.
  let planning = Turn()
  var retries = 0
  /// When the card is probed again, by the control loop's clock; nil if only a uevent helps.
  var retryDue: UInt64?
  /// What the last look failed with; nil where it did not.
  var complaint: String?
  /// CRTCs that may drive a picture that is nobody's.
  var leftovers: Set<UInt32> = []
  /// Outputs whose monitor has lost its EDID, and keeps its mode for now.
  var faded: Set<String> = []
  /// The names of the monitors that were unplugged, by connector.
  var lastMonitors: [String: String] = [:]
  /// Connectors that have no output.
  var bare: [String: Bare] = [:]

  /// Where a connector without an output stands, and since when, in milliseconds since 1970.
  struct Bare {
    var state: DisplayState
    var since: Int64
  }

  /// How many looks were asked for.
  private(set) var requested = 0
  /// The connectors that the next look probes; nil for all.
  private var hinted: Set<UInt32>? = []
  private var done = 0
  /// Whether the card is being looked at.
  private(set) var isBusy = false
  private var waiters: [(target: Int, continuation: CheckedContinuation<Bool, Never>)] = []

  init(_ card: any DisplayCard) { self.card = card }

  /// Asks for one more look. True when the caller is the one to look; else it has waited until one that began after
  /// the call is done. Hints that come during a look are merged into the one that follows.
  ///
  /// With a connector, the look need not probe the others.
  func askForTurn(_ connector: UInt32?, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withCheckedContinuation { continuation in
      requested += 1
      if let connector { hinted?.insert(connector) } else { hinted = nil }
      if isBusy { return waiters.append((requested, continuation)) }
      isBusy = true
      continuation.resume(returning: true)
    }
  }

  /// Has the next look probe all connectors: the last one failed, and may have missed a change of any.
  func probeAllNext() { hinted = nil }

  /// The next look that is due, and the connectors that it probes, nil for all; nil when there is none, and the turn is
  /// over.
  func nextLook() -> (number: Int, connectors: Set<UInt32>?)? {
    guard done < requested else {
      isBusy = false
      return nil
    }
    defer { hinted = [] }
    return (requested, hinted)
  }

  func finished(_ look: Int) {
    done = look
    let served = waiters.filter { $0.target <= look }
    waiters.removeAll { $0.target <= look }
    for waiter in served { waiter.continuation.resume(returning: false) }
  }
}
