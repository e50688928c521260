/// The sessions of all monitors that are or were plugged in, and the message for those without one of their own.
///
/// A pure value: it knows no hardware. A display is one connector's name, a monitor an identity, a place the port that
/// tells twins (monitors of one identity) apart.
public struct SessionBook: Hashable, Sendable {
  /// The message for every display without one of its own; nil where there is none.
  public private(set) var common: String?
  /// In the order in which they were last plugged in or unplugged, the newest last.
  private var all: [Session] = []
  /// Messages for displays that have no monitor yet.
  private var expected: [String: String] = [:]
  private var count = 0

  /// Sessions of monitors that are gone are kept up to this number; the oldest go first.
  public static let mostWaiting = 256

  /// A book without sessions, with a message for all or none.
  public init(common: String? = nil) { self.common = common }

  /// A monitor that was plugged in.
  public struct Arrival: Hashable, Sendable {
    /// The connector's name.
    public var display: String
    /// The monitor's identity.
    public var monitor: String
    /// The port, by its path where there is one.
    public var place: String

    /// An arrival from its parts.
    public init(display: String, monitor: String, place: String) {
      self.display = display
      self.monitor = monitor
      self.place = place
    }
  }

  /// All sessions, those on a display first, by its name; then those that wait, the newest first.
  public var sessions: [Session] {
    let shown = all.filter { $0.display != nil }.sorted { ($0.display ?? "") < ($1.display ?? "") }
    return shown + all.reversed().filter { $0.display == nil }
  }

  /// The session on a display; nil where nothing is plugged in.
  public func session(on display: String) -> Session? { all.first { $0.display == display } }

  /// What the display of this name is to show.
  public func text(for display: String) -> String? {
    (session(on: display).map(\.text) ?? expected[display]) ?? common
  }

  /// Brings the sessions of these monitors to their displays, or begins new ones.
  ///
  /// Twins keep to their ports; one that comes on a port of nobody's takes the session that was let go of last.
  public mutating func attach(_ arrivals: [Arrival]) {
    for arrival in arrivals { detach(arrival.display) }
    let strays = arrivals.filter { arrival in
      let own = waiting(for: arrival.monitor) { $0.place == arrival.place }
      if let own { bring(own, to: arrival) }
      return own == nil
    }
    for arrival in strays { bring(waiting(for: arrival.monitor) { _ in true } ?? begin(arrival), to: arrival) }
  }

  /// The monitor of this display is gone; its session waits, if there is anything to remember.
  public mutating func detach(_ display: String) {
    guard let index = all.firstIndex(where: { $0.display == display }) else { return }
    var session = all.remove(at: index)
    session.display = nil
    if session.isWorthKeeping { all.append(session) }
    let waiting = all.indices.filter { all[$0].display == nil }
    if waiting.count > Self.mostWaiting, let oldest = waiting.first { all.remove(at: oldest) }
  }

  /// Gives the monitor on a display a message of its own, or with nil takes it away. A display without a monitor keeps
  /// it for the next one that is plugged in.
  public mutating func setText(_ text: String?, for display: String) {
    if let index = all.firstIndex(where: { $0.display == display }) {
      all[index].text = text
    } else {
      expected[display] = text
    }
  }

  /// Sets the message for all; monitors' own messages end, since the newest word for everyone wins.
  public mutating func setTextForAll(_ text: String?) {
    common = text
    expected = [:]
    for index in all.indices { all[index].text = nil }
    all.removeAll { $0.display == nil && !$0.isWorthKeeping }
  }

  /// Sends the monitor on a display to sleep, or wakes it. False where nothing is plugged in.
  public mutating func setAsleep(_ isAsleep: Bool, on display: String) -> Bool {
    guard let index = all.firstIndex(where: { $0.display == display }) else { return false }
    all[index].isAsleep = isAsleep
    return true
  }

  private func waiting(for monitor: String, where isWanted: (Session) -> Bool) -> Int? {
    all.lastIndex { $0.display == nil && $0.monitor == monitor && isWanted($0) }
  }

  private mutating func begin(_ arrival: Arrival) -> Int {
    count += 1
    all.append(Session(id: count, monitor: arrival.monitor, place: arrival.place))
    return all.count - 1
  }

  private mutating func bring(_ index: Int, to arrival: Arrival) {
    var session = all.remove(at: index)
    (session.display, session.place) = (arrival.display, arrival.place)
    if let text = expected.removeValue(forKey: arrival.display) { session.text = text }
    all.append(session)
  }
}
