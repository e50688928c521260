import Systemd

/// The conversation with logind as a state machine without I/O (org.freedesktop.login1(5); D-Bus specification,
/// "Message Bus").
///
/// Received messages go in, and actions for the caller come out.
struct LogindSession {
  /// An action for the caller.
  enum Action: Hashable {
    /// Send this call, and pass its reply to `handle(reply:to:)` with this question, if any.
    case send(BusMessage, Question?)
    /// Emit this event.
    case emit(PowerEvent)
    /// Keep this descriptor: it is the inhibitor lock.
    case acquireLock(PassedDescriptor)
    /// Close the lock.
    case releaseLock
    /// Log this text.
    case log(String)
  }

  /// The subject of a call.
  enum Question: Hashable {
    /// The bus name of logind's connection.
    case owner
    /// The inhibitor lock.
    case lock
    /// The state of the lid.
    case lid
  }

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let bus = "org.freedesktop.DBus"

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

  /// Handles a new connection: subscribes to logind's signals and queries its owner.
  ///
  /// The NameOwnerChanged subscription precedes the owner query, so a start of logind between the two is not missed.
  mutating func opened() -> [Action] {
    (owner, isPresent) = (nil, nil)
    return [
      ask(nil, addMatch("sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")),
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

  // MARK: Replies

  /// Handles the reply, or the error reply, to a call.
  ///
  /// - Parameters:
  ///   - message: The reply.
  ///   - question: The question that was sent with the call.
  /// - Returns: The actions for the caller.
  mutating func handle(reply message: BusMessage, to question: Question) -> [Action] {
    switch question {
    case .owner: handleOwner(message.kind == .reply ? message.body.first?.text : nil)
    case .lock: locked(message)
    case .lid: updateLid(message.body.first?.unwrapped.truth)
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
  private mutating func locked(_ message: BusMessage) -> [Action] {
    guard message.kind == .reply, let descriptor = message.body.first?.descriptor else {
      wantsLock = false
      let reason = message.firstText ?? message.errorName ?? "it sent no descriptor"
      return [.log("logind refused the inhibitor lock (\(reason)): the host may suspend before its displays sleep")]
    }
    return wantsLock ? [.acquireLock(descriptor)] : []
  }

  // MARK: Signals

  /// Handles a received message that is not a reply. Only signals have an effect.
  ///
  /// - Parameter message: The message.
  /// - Returns: The actions for the caller.
  mutating func handle(_ message: BusMessage) -> [Action] {
    guard message.kind == .signal else { return [] }
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
  private mutating func ownerChanged(_ values: [BusValue]) -> [Action] {
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

  private mutating func propertiesChanged(_ values: [BusValue]) -> [Action] {
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
    let call = BusMessage.call(
      "Inhibit", of: Self.manager, at: Self.path, on: Self.name,
      .string("sleep"), .string("Placard"), .string("puts displays to sleep"), .string("delay"))
    return [ask(.lock, call)]
  }

  private func askLid() -> Action {
    let call = BusMessage.call(
      "Get", of: Self.properties, at: Self.path, on: Self.name, .string(Self.manager), .string("LidClosed"))
    return ask(.lid, call)
  }

  // MARK: Calls

  private func bus(_ member: String, _ body: BusValue...) -> BusMessage {
    var message = BusMessage.call(member, of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus)
    message.body = body
    return message
  }

  private func addMatch(_ rule: String) -> BusMessage { bus("AddMatch", .string("type='signal'," + rule)) }

  private func ask(_ question: Question?, _ call: BusMessage) -> Action { .send(call, question) }
}
