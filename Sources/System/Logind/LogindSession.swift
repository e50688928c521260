import DBus

/// The conversation with logind as a state machine without I/O (org.freedesktop.login1(5); D-Bus specification,
/// "Message Bus").
///
/// Received messages go in, and actions for the caller come out.
struct LogindSession {
  /// An action for the caller.
  enum Action: Hashable {
    /// Send this message.
    case send(DBusMessage)
    /// Emit this event.
    case emit(PowerEvent)
    /// Keep the first descriptor of the handled message: it is the inhibitor lock.
    case acquireLock
    /// Close the lock.
    case releaseLock
    /// Log this text.
    case log(String)
  }

  private enum PendingCall { case owner, lock, lid }

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let bus = "org.freedesktop.DBus"

  private var serial: UInt32 = 0
  private var questions: [UInt32: PendingCall] = [:]
  /// logind's unique name.
  ///
  /// Any user can send signals to this connection, but the bus guarantees the sender's name.
  private var owner: String?
  /// Whether logind is on the bus; nil as long as the bus has not answered that.
  private(set) var isPresent: Bool?
  private var isSleeping = false
  /// Whether the lock is held or requested.
  private var wantsLock = false
  private var isLidClosed = false

  /// Handles a new connection: sends Hello, subscribes to logind's signals and queries its owner.
  ///
  /// The NameOwnerChanged subscription precedes the owner query, so a start of logind between the two is not missed.
  mutating func opened() -> [Action] {
    (serial, questions, owner, isPresent) = (0, [:], nil, nil)
    return [
      ask(nil, bus("Hello")), ask(nil, addMatch("sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")),
      ask(nil, addMatch("sender='\(Self.name)',path='\(Self.path)',member='PrepareForSleep'")),
      ask(nil, addMatch("sender='\(Self.name)',path='\(Self.path)',member='PropertiesChanged',arg0='\(Self.manager)'")),
      ask(.owner, bus("GetNameOwner", .string(Self.name))),
    ]
  }

  /// Handles a lost connection.
  ///
  /// Pending replies will not arrive.
  mutating func lost() -> [Action] {
    (owner, isPresent) = (nil, nil)
    return gone()
  }

  /// Releases the lock if the machine is about to suspend.
  ///
  /// At any other time this has no effect, because the lock is needed for the next suspend.
  mutating func release() -> [Action] {
    guard isSleeping else { return [] }
    wantsLock = false
    return [.releaseLock]
  }

  /// Handles a received message.
  mutating func handle(_ message: DBusMessage) -> [Action] {
    switch message.kind {
    case .reply, .error: answered(message)
    case .signal: heard(message)
    case .call, .unknown: []
    }
  }

  // MARK: Replies

  private mutating func answered(_ message: DBusMessage) -> [Action] {
    guard let serial = message.replySerial, let question = questions.removeValue(forKey: serial) else { return [] }
    switch question {
    case .owner: return handleOwner(message.kind == .reply ? message.body.first?.text : nil)
    case .lock: return locked(message)
    case .lid: return updateLid(message.body.first?.unwrapped.truth)
    }
  }

  private mutating func handleOwner(_ name: String?) -> [Action] {
    guard owner == nil else { return [] }
    guard let name else {
      isPresent = false
      return [.log("logind is not on the system bus: host suspend and lid events are not received until it starts")]
    }
    return arrived(name)
  }

  /// Handles the reply to Inhibit.
  ///
  /// A lock that arrives after `release()` is useless: the caller closes its descriptor.
  private mutating func locked(_ message: DBusMessage) -> [Action] {
    guard message.kind == .reply, message.descriptorCount > 0 else {
      wantsLock = false
      let reason = message.words ?? message.errorName ?? "it sent no descriptor"
      return [.log("logind refused the inhibitor lock (\(reason)): the host may suspend before its displays sleep")]
    }
    return wantsLock ? [.acquireLock] : []
  }

  // MARK: Signals

  private mutating func heard(_ message: DBusMessage) -> [Action] {
    switch (message.sender, message.interface, message.member) {
    case (Self.bus, Self.bus, "NameOwnerChanged"): return ownerChanged(message.body)
    case (let sender?, Self.manager, "PrepareForSleep") where sender == owner:
      guard let isStart = message.body.first?.truth else { return [] }
      return isStart ? willSleep() : resumed()
    case (let sender?, Self.properties, "PropertiesChanged") where sender == owner:
      return propertiesChanged(message.body)
    default: return []
    }
  }

  /// Handles NameOwnerChanged.
  ///
  /// Its arguments are the name, the old owner and the new owner.
  private mutating func ownerChanged(_ values: [DBusValue]) -> [Action] {
    guard values.count == 3, values[0].text == Self.name, let new = values[2].text, new != owner else { return [] }
    let ended = owner == nil ? [] : gone()
    (owner, isPresent) = (nil, false)
    return ended + (new.isEmpty ? [] : arrived(new))
  }

  private mutating func willSleep() -> [Action] {
    guard !isSleeping else { return [] }
    isSleeping = true
    return [.emit(.willSleep)]
  }

  /// Handles the end of a suspend.
  ///
  /// Before systemd 256, logind does not announce lid changes, so this queries the lid.
  private mutating func resumed() -> [Action] {
    guard isSleeping else { return [] }
    isSleeping = false
    return [.emit(.resumed)] + acquireLock() + [askLid()]
  }

  private mutating func propertiesChanged(_ values: [DBusValue]) -> [Action] {
    guard values.count == 3, values[0].text == Self.manager else { return [] }
    if let isClosed = values[1]["LidClosed"]?.truth { return updateLid(isClosed) }
    return values[2].elements?.contains(.string("LidClosed")) ?? false ? [askLid()] : []
  }

  private mutating func updateLid(_ isClosed: Bool?) -> [Action] {
    guard let isClosed, isClosed != isLidClosed else { return [] }
    isLidClosed = isClosed
    return [.emit(isClosed ? .lidClosed : .lidOpened)]
  }

  // MARK: Start and exit of logind

  private mutating func arrived(_ name: String) -> [Action] {
    (owner, isPresent) = (name, true)
    return acquireLock() + [askLid()]
  }

  /// Handles the exit of logind, which will neither announce a resume nor honor the lock.
  private mutating func gone() -> [Action] {
    let wasSleeping = isSleeping
    (isSleeping, wantsLock) = (false, false)
    return (wasSleeping ? [.emit(.resumed)] : []) + [.releaseLock]
  }

  /// Requests the lock unless it is still held.
  private mutating func acquireLock() -> [Action] {
    guard !wantsLock else { return [] }
    wantsLock = true
    let call = DBusMessage.call(
      "Inhibit", of: Self.manager, at: Self.path, on: Self.name,
      .string("sleep"), .string("Placard"), .string("puts displays to sleep"), .string("delay"))
    return [ask(.lock, call)]
  }

  private mutating func askLid() -> Action {
    let call = DBusMessage.call(
      "Get", of: Self.properties, at: Self.path, on: Self.name, .string(Self.manager), .string("LidClosed"))
    return ask(.lid, call)
  }

  // MARK: Calls

  private func bus(_ member: String, _ body: DBusValue...) -> DBusMessage {
    var message = DBusMessage.call(member, of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus)
    message.body = body
    return message
  }

  private func addMatch(_ rule: String) -> DBusMessage { bus("AddMatch", .string("type='signal'," + rule)) }

  /// Assigns a serial to a call and records what its reply answers.
  ///
  /// NO_AUTO_START: listening must not start logind.
  private mutating func ask(_ question: PendingCall?, _ call: DBusMessage) -> Action {
    serial &+= 1
    var call = call
    (call.serial, call.flags) = (serial, 2)
    questions[serial] = question
    return .send(call)
  }
}
