public import Displays
public import Geometry
import Synchronization

/// A card in memory: monitors are plugged by a call, flips come at once or by hand, faults by count.
///
/// It stands in for a real card in the service's virtual backend and in tests.
public final class VirtualCard: DisplayCard {
  /// `memory`, unless it was named otherwise.
  public let path: String
  /// What the card tells; ends when it is lost or closed.
  public let events: AsyncStream<CardEvent>
  /// Who hears of flips instead of `events`.
  public let followers = FlipFollowers()

  let state: Mutex<State>
  let continuation: AsyncStream<CardEvent>.Continuation
  private let clock: @Sendable () -> UInt64

  struct State {
    var connectors: [String: Socket] = [:]
    var crtcCount: Int
    var lit: [UInt32: LitOutput] = [:]
    /// CRTCs of `lit` whose monitor gets no signal.
    var asleep: Set<UInt32> = []
    var faults: [VirtualFault: (spared: Int, left: Int)] = [:]
    var actions: [VirtualCall: @Sendable () async -> Void] = [:]
    var flipAction: (@Sendable (_ moment: FlipMoment, _ display: String) -> Void)?
    var heldFlips: [UInt32]?
    var memories: [UInt32: Memory] = [:]
    var nextBuffer: UInt32 = 1
    var sequence: UInt32 = 0
    /// When the last flip was, and the CRTCs whose next one is told to have been then.
    var lastFlip: UInt64 = 1
    var oldFlips: Set<UInt32> = []
    var hasVBlank = false
    var isLost = false
    var isMaster = true
    var probes = 0
    var struck = 0
    var nextConnector: UInt32 = 100
    /// nil where nobody wants it: it would grow with each flip.
    var journal: [String]?
    var flips = 0

    /// A socket with an id of its own.
    mutating func newSocket(_ number: Int) -> Socket {
      nextConnector += 1
      return Socket(number: number, id: nextConnector)
    }
  }

  struct Socket {
    var number: Int
    /// The connector's object id.
    var id: UInt32
    var monitor: VirtualMonitor?
    /// What a test makes of what the connector says.
    var shape: (@Sendable (inout ConnectorSnapshot) -> Void)?
  }

  struct Memory {
    var address: UInt
    var size: Size
    var stride: Int
  }

  /// A card with room for this many lit displays; the clock gives nanoseconds as CLOCK_MONOTONIC does. A journal is for
  /// tests: it grows for as long as the card is there.
  public init(
    path: String = "memory", crtcs: Int = 16, keepsJournal: Bool = false, clock: @escaping @Sendable () -> UInt64
  ) {
    self.path = path
    self.clock = clock
    state = Mutex(State(crtcCount: crtcs, journal: keepsJournal ? [] : nil))
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  // MARK: Plugging

  /// Plugs a monitor into the socket of this name (`Virtual-2`), which is made where it is missing; nil takes the
  /// first free one. Whatever was plugged in there before is replaced.
  ///
  /// - Returns: the name of the socket; nil for a name that is neither `Virtual-` and a number of 1...64 nor `eDP-1`.
  @discardableResult
  public func plug(_ monitor: VirtualMonitor, into name: String? = nil) -> String? {
    let taken: String? = state.withLock { state in
      guard let name = name ?? Self.firstFree(state), let number = Self.number(of: name) else { return nil }
      var socket = state.connectors[name] ?? state.newSocket(number)
      socket.monitor = monitor
      state.connectors[name] = socket
      return name
    }
    if taken != nil { continuation.yield(.changed) }
    return taken
  }

  /// Pulls the plug; false where nothing was plugged in.
  @discardableResult
  public func unplug(_ name: String) -> Bool {
    let was = state.withLock { state in
      let monitor = state.connectors[name]?.monitor
      state.connectors[name]?.monitor = nil
      return monitor != nil
    }
    if was { continuation.yield(.changed) }
    return was
  }

  private static func firstFree(_ state: State) -> String? {
    (1...64).map { "Virtual-\($0)" }.first { state.connectors[$0]?.monitor == nil }
  }

  // MARK: Faults and tests

  /// Lets something go wrong this many times, after it went well `spared` times.
  public func inject(_ fault: VirtualFault, after spared: Int = 0, count: Int = .max) {
    state.withLock { $0.faults[fault] = (spared, count) }
  }

  /// How often something went wrong on purpose.
  public var struck: Int { state.withLock { $0.struck } }

  /// How often the connectors were looked at.
  public var probes: Int { state.withLock { $0.probes } }

  /// Runs `action` at the beginning of every call of this sort, which waits for it. Flips wait for nothing. Nil ends it.
  public func during(_ call: VirtualCall, _ action: (@Sendable () async -> Void)?) {
    state.withLock { $0.actions[call] = action }
  }

  /// Runs `action` at the beginning and at the end of every call for a flip, whose thread waits for it as for the kernel's
  /// locks; at the end the flip itself may be told. Nil ends it.
  public func duringFlips(_ action: (@Sendable (_ moment: FlipMoment, _ display: String) -> Void)?) {
    state.withLock { $0.flipAction = action }
  }

  /// Has a connector say something else than what is plugged into it; nil ends that. A hint follows,
  /// unless nobody is told.
  public func reshape(
    _ name: String, isTold: Bool = true, _ shape: (@Sendable (inout ConnectorSnapshot) -> Void)?
  ) {
    state.withLock { $0.connectors[name]?.shape = shape }
    if isTold { continuation.yield(.changed) }
  }

  /// Takes a connector away, as with a hub of MultiStream transport. Its next one has another id. A hint follows.
  public func remove(_ name: String) {
    state.withLock { state in _ = state.connectors.removeValue(forKey: name) }
    continuation.yield(.changed)
  }

  /// Another program becomes master, or stops to be: meanwhile all that is asked of the card fails.
  public func setMaster(_ isMaster: Bool, isTold: Bool = true) {
    state.withLock { $0.isMaster = isMaster }
    if isTold { continuation.yield(.masterChanged) }
  }

  /// Has vertical blanks from now on, as most drivers do: flips wait for the next one, and have its number.
  public func beginVBlanks() {
    holdFlips()
    state.withLock { $0.hasVBlank = true }
  }

  /// A vertical blank: the flips that were asked for before it come; later ones wait for the next one.
  public func vblank() { for crtc in takeHeld(leaving: []) { tell(crtc) } }

  /// Holds flip events back until `releaseFlips`.
  public func holdFlips() { state.withLock { $0.heldFlips = $0.heldFlips ?? [] } }

  /// Sends the flip events that were held back; later ones come at once again.
  public func releaseFlips() { for crtc in takeHeld(leaving: nil) { flipped(crtc) } }

  private func takeHeld(leaving held: [UInt32]?) -> [UInt32] {
    state.withLock { state in
      defer { state.heldFlips = held }
      return state.heldFlips ?? []
    }
  }

  /// The device goes, as when a USB display is pulled.
  public func lose() {
    state.withLock { $0.isLost = true }
    continuation.yield(.lost)
    continuation.finish()
  }

  /// Sends a hint although nothing changed.
  public func hint() { continuation.yield(.changed) }

  /// What was asked of the card, in order: `light Virtual-1 1920x1080@60`, `dark 2`, `sleep Virtual-1`,
  /// `flip Virtual-1`. Empty where none is kept.
  public var journal: [String] { state.withLock { $0.journal ?? [] } }

  /// How many flips were asked for.
  public var flips: Int { state.withLock { $0.flips } }

  /// How many CRTCs drive a picture, asleep or not.
  public var litCRTCs: Int { state.withLock { $0.lit.count } }

  /// How many buffers are alive.
  public var liveBuffers: Int { state.withLock { $0.memories.count } }

  /// The pixels (XRGB8888, no padding) that this connector scans out; nil where it is dark or asleep.
  public func glass(_ name: String) -> (size: Size, pixels: [UInt32])? {
    state.withLock { state in
      guard let output = state.lit.values.first(where: { $0.name == name }), !state.asleep.contains(output.crtc),
        let memory = state.memories[output.buffer.number],
        let start = unsafe UnsafeRawPointer(bitPattern: memory.address)
      else { return nil }
      let pixels = unsafe UnsafeRawBufferPointer(start: start, count: memory.stride * memory.size.height)
      return unsafe (memory.size, Array(pixels.bindMemory(to: UInt32.self)))
    }
  }

  private func strikes(_ fault: VirtualFault, _ state: inout State) -> Bool {
    guard let (spared, left) = state.faults[fault], left > 0 else { return false }
    state.faults[fault] = spared > 0 ? (spared - 1, left) : (0, left == .max ? .max : left - 1)
    if spared == 0 { state.struck += 1 }
    return spared == 0
  }

  private func mayFail(_ call: VirtualCall, _ object: String, _ state: inout State) throws(CardError) {
    guard state.isMaster else {
      throw CardError(reason: .notMaster, operation: call.rawValue, object: object, message: "another is master")
    }
    // Each is asked, so that each counts the call.
    let reasons = CardError.Reason.allCases.filter { strikes(.fail(call, $0), &state) }
    if let reason = reasons.first {
      if reason == .gone { state.isLost = true }
      throw CardError(reason: reason, operation: call.rawValue, object: object, message: "injected")
    }
  }

  // MARK: DisplayCard

  /// Answers with what is plugged in.
  public func probe() async throws(CardError) -> CardSnapshot {
    await begin(.probe)
    return try answer("probe", path) { state throws(CardError) in
      state.probes += 1
      try mayFail(.probe, path, &state)
      let crtcs = (1...UInt32(state.crtcCount)).map { CRTCSnapshot(id: $0, isActive: state.lit[$0] != nil) }
      let connectors = state.connectors.sorted { $0.value.number < $1.value.number }.map { name, socket in
        var connector = ConnectorSnapshot(
          id: socket.id, name: name,
          kind: ConnectorKind(named: name == Self.panel ? "eDP" : "Virtual") ?? ConnectorKind(15),
          status: socket.monitor == nil ? .disconnected : .connected, modes: socket.monitor?.modes ?? [],
          edid: socket.monitor?.edid ?? [],
          currentCRTC: state.lit.first { $0.value.name == name }?.key)
        socket.shape?(&connector)
        return connector
      }
      return CardSnapshot(card: path, driver: "virtual", connectors: connectors, crtcs: crtcs)
    }
  }

  /// Plain memory, XRGB8888 unless a fault says otherwise.
  public func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
    await begin(.allocate)
    try FrameLimits.check(size, on: path)
    let (number, format) = try answer("allocate", path) { state throws(CardError) -> (UInt32, PixelFormat) in
      try mayFail(.allocate, path, &state)
      state.nextBuffer += 1
      return (state.nextBuffer - 1, strikes(.shallowBuffer, &state) ? .rgb565 : .xrgb8888)
    }
    let stride = size.width * format.bytesPerPixel
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: stride * size.height, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    let address = UInt(bitPattern: memory.baseAddress)
    state.withLock { $0.memories[number] = Memory(address: address, size: size, stride: stride) }
    return unsafe FrameBuffer(
      id: BufferID(number), size: size, format: format, stride: stride, unsafeMemory: memory
    ) { [weak self] in
      self?.state.withLock { state in _ = state.memories.removeValue(forKey: number) }
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// Says no to what a fault refuses.
  public func check(_ plan: ModesetPlan) async throws(CardError) {
    await begin(.check)
    try answer("check", path) { state throws(CardError) in
      try mayFail(.check, path, &state)
      try refuse(plan, &state)
    }
  }

  /// Darkens, puts to sleep and lights; the flip events of lit outputs follow.
  public func apply(_ plan: ModesetPlan) async throws(CardError) {
    await begin(plan.lit.isEmpty ? plan.asleep.isEmpty ? .darken : .sleep : .light)
    let due = try answer("apply", path) { state throws(CardError) in
      try refuse(plan, &state)
      if !plan.lit.isEmpty { try mayFail(.light, path, &state) }
      if !plan.dark.isEmpty { try mayFail(.darken, path, &state) }
      for crtc in plan.dark where state.lit.removeValue(forKey: crtc) != nil {
        state.asleep.remove(crtc)
        state.journal?.append("dark \(crtc)")
      }
      try sleep(plan.asleep, &state)
      for output in plan.lit {
        state.lit[output.crtc] = output
        state.asleep.remove(output.crtc)
        if strikes(.oldModesetFlip, &state) { state.oldFlips.insert(output.crtc) }
        state.journal?.append("light \(output.name) \(output.mode)")
      }
      return plan.lit.map(\.crtc).filter { isFlipDue($0, &state) }
    }
    for crtc in due { tell(crtc) }
  }

  /// As the kernel does: one commit for all, which fails or changes them all; ACTIVE=0 on what is off changes nothing.
  private func sleep(_ outputs: [SleepingOutput], _ state: inout State) throws(CardError) {
    if !outputs.isEmpty { try mayFail(.sleep, path, &state) }
    for output in outputs where state.lit[output.crtc] != nil && state.asleep.insert(output.crtc).inserted {
      state.journal?.append("sleep \(output.name)")
    }
  }

  private func refuse(_ plan: ModesetPlan, _ state: inout State) throws(CardError) {
    for output in plan.lit {
      let faults: [VirtualFault] = [
        .refuseSize(output.mode.size), .refuseMode(output.mode.size, refresh: output.mode.refresh),
      ]
      guard !faults.contains(where: { strikes($0, &state) }) else {
        throw CardError(
          reason: .refused, operation: "modeset \(output.mode)", object: output.name, message: "injected")
      }
    }
  }

  /// Takes the buffer; the flip event follows. What is asleep is refused as by the kernel, where an event for a CRTC that
  /// is off and stays off is EINVAL (drm_atomic_crtc_check, drm_atomic_helper_page_flip).
  public func present(_ flip: FlipRequest) throws(CardError) {
    state.withLock { $0.flipAction }?(.beginning, flip.name)
    // Who sees that a flip was asked for may let a vertical blank come at once: it is held by then.
    let isDue = try answer("flip", flip.name) { state throws(CardError) in
      try mayFail(.flip, flip.name, &state)
      guard state.lit[flip.crtc] != nil else {
        throw CardError(reason: .refused, operation: "flip", object: flip.name, message: "not lit")
      }
      guard !state.asleep.contains(flip.crtc) else {
        throw CardError(reason: .refused, operation: "flip", object: flip.name, message: "asleep: light it to wake it")
      }
      state.lit[flip.crtc]?.buffer = flip.buffer
      state.flips += 1
      state.journal?.append("flip \(flip.name)")
      return isFlipDue(flip.crtc, &state)
    }
    if isDue { tell(flip.crtc) }
    state.withLock { $0.flipAction }?(.end, flip.name)
  }

  private func begin(_ call: VirtualCall) async {
    await state.withLock { $0.actions[call] }?()
  }

  /// Ends the events.
  public func close() async {
    continuation.finish()
    followers.end()
  }

  private func flipped(_ crtc: UInt32) {
    if state.withLock({ isFlipDue(crtc, &$0) }) { tell(crtc) }
  }

  /// Whether a flip comes at once; else it is held, or never comes.
  private func isFlipDue(_ crtc: UInt32, _ state: inout State) -> Bool {
    if strikes(.swallowFlip, &state) { return false }
    state.heldFlips?.append(crtc)
    return state.heldFlips == nil
  }

  private func tell(_ crtc: UInt32) {
    let now = clock()
    let (sequence, time): (UInt32, UInt64) = state.withLock { state in
      if state.oldFlips.remove(crtc) == nil { state.lastFlip = now }
      // What the kernel says where there are no vertical blanks (drm_crtc_send_vblank_event).
      if state.hasVBlank { state.sequence += 1 }
      return (state.hasVBlank ? state.sequence : 0, state.lastFlip)
    }
    let flip = Flip(crtc: crtc, sequence: sequence, time: time)
    if !followers.tell(flip) { continuation.yield(CardEvent(flip)) }
  }

  private func answer<R>(
    _ operation: String, _ object: String, _ body: (inout State) throws(CardError) -> R
  ) throws(CardError) -> R {
    let result: Result<R, CardError> = state.withLock { state in
      guard !state.isLost else {
        return .failure(CardError(reason: .gone, operation: operation, object: object, message: "the card is gone"))
      }
      do throws(CardError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
