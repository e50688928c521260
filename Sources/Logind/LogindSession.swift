import DBus

/// What is said to logind and heard from it, without the connection: messages go in, what is to be done comes out
/// (org.freedesktop.login1(5), and the D-Bus specification's "Message Bus").
struct LogindSession {
  /// What is to be done.
  enum Action: Hashable {
    /// Send this.
    case send(DBusMessage)
    /// Tell this.
    case tell(PowerEvent)
    /// Keep the first descriptor that came with this message: it is the lock.
    case takeLock
    /// Close the lock.
    case dropLock
    /// Log this, for people.
    case note(String)
  }

  private enum Question { case owner, lock, lid }

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let bus = "org.freedesktop.DBus"

  private var serial: UInt32 = 0
  private var questions: [UInt32: Question] = [:]
  /// logind's unique name. Any user may send us a signal, but only the bus says who sent it.
  private var owner: String?
  /// Whether logind is on the bus; nil as long as the bus has not answered that.
  private(set) var isPresent: Bool?
  private var isSleeping = false
  /// The lock is held or asked for.
  private var wantsLock = false
  private var isLidClosed = false

  /// A connection was opened: says hello, and asks for what logind tells and who it is.
  ///
  /// NameOwnerChanged is asked for before the owner, so that neither order of the two misses logind's start.
  mutating func opened() -> [Action] {
    (serial, questions, owner, isPresent) = (0, [:], nil, nil)
    return [
      ask(nil, bus("Hello")), ask(nil, addMatch("sender='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")),
      ask(nil, addMatch("sender='\(Self.name)',path='\(Self.path)',member='PrepareForSleep'")),
      ask(nil, addMatch("sender='\(Self.name)',path='\(Self.path)',member='PropertiesChanged',arg0='\(Self.manager)'")),
      ask(.owner, bus("GetNameOwner", .string(Self.name))),
    ]
  }

  /// The connection is gone, and what was awaited from it will not come.
  mutating func lost() -> [Action] {
    (owner, isPresent) = (nil, nil)
    return gone()
  }

  /// The machine may sleep now. Of no effect unless it is about to: the lock is there for the next time then.
  mutating func release() -> [Action] {
    guard isSleeping else { return [] }
    wantsLock = false
    return [.dropLock]
  }

  /// A message came.
  mutating func take(_ message: DBusMessage) -> [Action] {
    switch message.kind {
    case .reply, .error: answered(message)
    case .signal: heard(message)
    case .call, .unknown: []
    }
  }

  // MARK: Answers

  private mutating func answered(_ message: DBusMessage) -> [Action] {
    guard let serial = message.replySerial, let question = questions.removeValue(forKey: serial) else { return [] }
    switch question {
    case .owner: return ownerIs(message.kind == .reply ? message.body.first?.text : nil)
    case .lock: return locked(message)
    case .lid: return lidIs(message.body.first?.unwrapped.truth)
    }
  }

  private mutating func ownerIs(_ name: String?) -> [Action] {
    guard owner == nil else { return [] }
    guard let name else {
      isPresent = false
      return [.note("no logind on the system bus: the machine's sleep and its lid are not heard of until it starts")]
    }
    return arrived(name)
  }

  /// A lock that comes when the machine may already sleep is of no use: who sent it closes it with the message.
  private mutating func locked(_ message: DBusMessage) -> [Action] {
    guard message.kind == .reply, message.descriptorCount > 0 else {
      wantsLock = false
      let reason = message.words ?? message.errorName ?? "it sent no descriptor"
      return [.note("logind gives no lock (\(reason)): the machine may sleep before its displays do")]
    }
    return wantsLock ? [.takeLock] : []
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

  /// Name, old owner, new owner.
  private mutating func ownerChanged(_ values: [DBusValue]) -> [Action] {
    guard values.count == 3, values[0].text == Self.name, let new = values[2].text, new != owner else { return [] }
    let ended = owner == nil ? [] : gone()
    (owner, isPresent) = (nil, false)
    return ended + (new.isEmpty ? [] : arrived(new))
  }

  private mutating func willSleep() -> [Action] {
    guard !isSleeping else { return [] }
    isSleeping = true
    return [.tell(.willSleep)]
  }

  /// The lid is asked for again: before systemd 256 logind does not tell when it changes.
  private mutating func resumed() -> [Action] {
    guard isSleeping else { return [] }
    isSleeping = false
    return [.tell(.resumed)] + takeLock() + [askLid()]
  }

  private mutating func propertiesChanged(_ values: [DBusValue]) -> [Action] {
    guard values.count == 3, values[0].text == Self.manager else { return [] }
    if let isClosed = values[1]["LidClosed"]?.truth { return lidIs(isClosed) }
    return values[2].elements?.contains(.string("LidClosed")) ?? false ? [askLid()] : []
  }

  private mutating func lidIs(_ isClosed: Bool?) -> [Action] {
    guard let isClosed, isClosed != isLidClosed else { return [] }
    isLidClosed = isClosed
    return [.tell(isClosed ? .lidClosed : .lidOpened)]
  }

  // MARK: logind's coming and going

  private mutating func arrived(_ name: String) -> [Action] {
    (owner, isPresent) = (name, true)
    return takeLock() + [askLid()]
  }

  /// Nobody will tell of the end of a sleep, nor ask for the lock.
  private mutating func gone() -> [Action] {
    let wasSleeping = isSleeping
    (isSleeping, wantsLock) = (false, false)
    return (wasSleeping ? [.tell(.resumed)] : []) + [.dropLock]
  }

  /// A lock that was not let go of still holds.
  private mutating func takeLock() -> [Action] {
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

  /// Numbers a call and remembers what its answer is for. NO_AUTO_START: listening is no reason to start logind.
  private mutating func ask(_ question: Question?, _ call: DBusMessage) -> Action {
    serial &+= 1
    var call = call
    (call.serial, call.flags) = (serial, 2)
    questions[serial] = question
    return .send(call)
  }
}
