package import Displays
package import Geometry
import Synchronization

/// A card in memory with simulated monitors, immediate or held flips, and injected faults.
///
/// It replaces a real card in the daemon's virtual backend and in tests.
package final class VirtualCard: DisplayCard {
  /// The name of the card, by default `memory`.
  package let path: String
  /// The card's events.
  ///
  /// The stream ends when the card is lost or closed.
  package let events: AsyncStream<CardEvent>
  /// True: a plan succeeds or fails as a whole.
  package var commitsTogether: Bool { true }
  /// The followers that receive flips instead of `events`.
  package let followers = FlipFollowers()

  let state: Mutex<State>
  let continuation: AsyncStream<CardEvent>.Continuation
  private let clock: @Sendable () -> UInt64

  struct State {
    var connectors: [String: Socket] = [:]
    var crtcCount: Int
    var lit: [UInt32: EnabledOutput] = [:]
    /// The CRTCs of `lit` whose monitor receives no signal.
    var asleep: Set<UInt32> = []
    var faults: [VirtualFault: (spared: Int, left: Int)] = [:]
    var actions: [VirtualCall: @Sendable () async -> Void] = [:]
    var flipAction: (@Sendable (_ moment: FlipMoment, _ display: String) -> Void)?
    var modesetAction: (@Sendable () async -> Void)?
    var heldFlips: [PendingFlip]?
    var memories: [UInt32: Memory] = [:]
    var nextBuffer: UInt32 = 1
    var sequence: UInt32 = 0
    /// The time of the last flip, and the CRTCs whose next flip reports that time again.
    var lastFlip: UInt64 = 1
    var oldFlips: Set<UInt32> = []
    var hasVBlank = false
    var isLost = false
    var isMaster = true
    var probes = 0
    /// The number of probes of each connector, by name.
    var connectorProbes: [String: Int] = [:]
    /// The connectors as of their last probe, by object ID.
    var probed: [UInt32: ConnectorSnapshot] = [:]
    var injectedFaultCount = 0
    var nextConnector: UInt32 = 100
    /// The journal; nil if none is kept, because it grows with each flip.
    var journal: [String]?
    var flips = 0
    /// The number of commits that enabled outputs.
    var litPlans = 0

    /// Returns a socket with a new connector ID.
    mutating func newSocket(_ number: Int) -> Socket {
      nextConnector += 1
      return Socket(number: number, id: nextConnector)
    }
  }

  struct Socket {
    var number: Int
    /// The connector's object ID.
    var id: UInt32
    var monitor: VirtualMonitor?
    /// A test's override of the connector's state.
    var shape: (@Sendable (inout ConnectorSnapshot) -> Void)?
  }

  /// A flip whose event was not sent yet.
  struct PendingFlip {
    var crtc: UInt32
    var modeset: UInt32
  }

  struct Memory {
    var address: UInt
    var size: Size
    var stride: Int
  }

  /// Creates a card without sockets.
  ///
  /// - Parameters:
  ///   - path: The name of the card.
  ///   - crtcs: The number of CRTCs, which limits the number of enabled displays.
  ///   - keepsJournal: True to keep a journal. It is for tests, because it grows for the lifetime of the card.
  ///   - clock: A function that returns nanoseconds, like CLOCK_MONOTONIC.
  package init(
    path: String = "memory", crtcs: Int = 16, keepsJournal: Bool = false, clock: @escaping @Sendable () -> UInt64
  ) {
    self.path = path
    self.clock = clock
    state = Mutex(State(crtcCount: crtcs, journal: keepsJournal ? [] : nil))
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  // MARK: Sockets

  /// Plugs a monitor into a socket, which is created if it does not exist, and replaces the monitor in it.
  ///
  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - name: The name of the socket, such as `Virtual-2`; nil for the first free one.
  /// - Returns: The name of the socket; nil if the name is neither `eDP-1` nor `Virtual-` with a number of 1...64, or
  ///   if no socket is free.
  @discardableResult
  package func plug(_ monitor: VirtualMonitor, into name: String? = nil) -> String? {
    let taken: (name: String, id: UInt32)? = state.withLock { state in
      guard let name = name ?? Self.firstFree(state), let number = Self.number(of: name) else { return nil }
      var socket = state.connectors[name] ?? state.newSocket(number)
      socket.monitor = monitor
      state.connectors[name] = socket
      return (name, socket.id)
    }
    if let taken { continuation.yield(.changed(connector: taken.id)) }
    return taken?.name
  }

  /// Unplugs the monitor of a socket.
  ///
  /// - Parameter name: The name of the socket.
  /// - Returns: False if no monitor was plugged in.
  @discardableResult
  package func unplug(_ name: String) -> Bool {
    let unplugged: UInt32? = state.withLock { state in
      guard let socket = state.connectors[name], socket.monitor != nil else { return nil }
      state.connectors[name]?.monitor = nil
      return socket.id
    }
    if let unplugged { continuation.yield(.changed(connector: unplugged)) }
    return unplugged != nil
  }

  private static func firstFree(_ state: State) -> String? {
    (1...64).map { "Virtual-\($0)" }.first { state.connectors[$0]?.monitor == nil }
  }

  private func strikes(_ fault: VirtualFault, _ state: inout State) -> Bool {
    guard let (spared, left) = state.faults[fault], left > 0 else { return false }
    state.faults[fault] = spared > 0 ? (spared - 1, left) : (0, left == .max ? .max : left - 1)
    if spared == 0 { state.injectedFaultCount += 1 }
    return spared == 0
  }

  private func mayFail(_ call: VirtualCall, _ object: String, _ state: inout State) throws(CardError) {
    guard state.isMaster else {
      throw CardError(
        reason: .notMaster, operation: call.rawValue, object: object, message: "another process is master")
    }
    // Evaluate the faults for all reasons, so that each of them counts the call.
    let reasons = CardError.Reason.allCases.filter { strikes(.fail(call, $0), &state) }
    if let reason = reasons.first {
      if reason == .gone { state.isLost = true }
      throw CardError(reason: reason, operation: call.rawValue, object: object, message: "injected")
    }
  }

  // MARK: DisplayCard

  /// Returns the simulated state of the card.
  ///
  /// - Parameter chosen: The object IDs of the connectors to probe; nil for all.
  /// - Throws: `CardError` if a fault applies, or if the card is lost.
  /// - Returns: The state of the card.
  package func probe(_ chosen: Set<UInt32>?) async throws(CardError) -> CardSnapshot {
    await begin(.probe)
    return try answer("probe", path) { state throws(CardError) in
      state.probes += 1
      try mayFail(.probe, path, &state)
      let crtcs = (1...UInt32(state.crtcCount)).map { CRTCSnapshot(id: $0, isEnabled: state.lit[$0] != nil) }
      let connectors = state.connectors.sorted { $0.value.number < $1.value.number }.map { name, socket in
        var connector = Self.snapshot(of: socket, name, currentCRTC: state.lit.first { $0.value.name == name }?.key)
        if let chosen, let last = state.probed[socket.id], !chosen.contains(socket.id) {
          connector.keepProbe(last)
        } else {
          state.connectorProbes[name, default: 0] += 1
        }
        return connector
      }
      state.probed = Dictionary(connectors.map { ($0.id, $0) }) { first, _ in first }
      return CardSnapshot(card: path, driver: "virtual", connectors: connectors, crtcs: crtcs)
    }
  }

  private static func snapshot(of socket: Socket, _ name: String, currentCRTC: UInt32?) -> ConnectorSnapshot {
    var connector = ConnectorSnapshot(
      id: socket.id, name: name,
      kind: ConnectorKind(named: name == Self.panel ? "eDP" : "Virtual") ?? ConnectorKind(15),
      status: socket.monitor == nil ? .disconnected : .connected, modes: socket.monitor?.modes ?? [],
      edid: socket.monitor?.edid ?? [], currentCRTC: currentCRTC)
    socket.shape?(&connector)
    return connector
  }

  /// Allocates a buffer in ordinary memory, in XRGB8888 unless a fault changes the format.
  ///
  /// - Parameter size: The size in pixels.
  /// - Throws: `CardError` if the size is above `FrameLimits`, or if a fault applies.
  /// - Returns: A buffer that the caller owns, initially black.
  package func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
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

  /// Tests a plan against the injected faults.
  ///
  /// - Parameter plan: The plan to test.
  /// - Throws: `CardError` if a fault rejects the plan.
  package func check(_ plan: ModesetPlan) async throws(CardError) {
    await begin(.check)
    try answer("check", path) { state throws(CardError) in
      try mayFail(.check, path, &state)
      try refuse(plan, &state)
    }
  }

  /// Disables outputs, puts outputs to sleep and enables outputs.
  ///
  /// The flip events of enabled outputs follow.
  ///
  /// - Parameter plan: The plan to apply.
  /// - Throws: `CardError` if a fault rejects the plan.
  package func apply(_ plan: ModesetPlan) async throws(CardError) {
    await begin(plan.lit.isEmpty ? plan.asleep.isEmpty ? .darken : .sleep : .light)
    let due = try answer("apply", path) { state throws(CardError) in
      try refuse(plan, &state)
      if !plan.lit.isEmpty {
        try mayFail(.light, path, &state)
        state.litPlans += 1
      }
      if !plan.dark.isEmpty { try mayFail(.darken, path, &state) }
      for crtc in plan.dark where state.lit.removeValue(forKey: crtc) != nil {
        state.asleep.remove(crtc)
        state.journal?.append("dark \(crtc)")
      }
      try sleep(plan.asleep, &state)
      for output in plan.lit {
        for (crtc, other) in state.lit
        where other.name == output.name && !plan.lit.contains(where: { $0.crtc == crtc }) {
          leave(crtc, &state)
        }
      }
      for output in plan.lit {
        state.lit[output.crtc] = output
        state.asleep.remove(output.crtc)
        if strikes(.oldModesetFlip, &state) { state.oldFlips.insert(output.crtc) }
        state.journal?.append("light \(output.name) \(output.mode)")
      }
      return plan.lit.map { PendingFlip(crtc: $0.crtc, modeset: plan.number) }.filter { isDue($0, &state) }
    }
    for flip in due { report(flip) }
    if !plan.lit.isEmpty { await state.withLock { $0.modesetAction }?() }
  }

  /// Disables a CRTC that its connector leaves.
  private func leave(_ crtc: UInt32, _ state: inout State) {
    state.lit[crtc] = nil
    state.asleep.remove(crtc)
    state.journal?.append("leave \(crtc)")
  }

  /// Puts outputs to sleep in one commit for all, like the kernel.
  ///
  /// ACTIVE=0 on a disabled CRTC changes nothing.
  private func sleep(_ outputs: [SleepingOutput], _ state: inout State) throws(CardError) {
    if !outputs.isEmpty { try mayFail(.sleep, path, &state) }
    for output in outputs where state.lit[output.crtc] != nil && state.asleep.insert(output.crtc).inserted {
      state.journal?.append("sleep \(output.name)")
    }
  }

  private func refuse(_ plan: ModesetPlan, _ state: inout State) throws(CardError) {
    let others = state.lit.values.filter { one in !plan.lit.contains { $0.name == one.name || $0.crtc == one.crtc } }
    let pixels = (others + plan.lit).map(\.mode.size.area).reduce(0, +)
    for case .refuseTotal(let limit) in state.faults.keys where !plan.lit.isEmpty && pixels > limit {
      guard strikes(.refuseTotal(pixels: limit), &state) else { continue }
      throw CardError(
        reason: .refused, operation: "modeset", object: path, message: "injected: \(pixels) pixels are too many")
    }
    for output in plan.lit {
      let faults: [VirtualFault] = [
        .refuseSize(output.mode.size), .refuseMode(output.mode.size, refresh: output.mode.refresh),
        .refuseCRTC(output.crtc, output.mode.size),
      ]
      guard !faults.contains(where: { strikes($0, &state) }) else {
        throw CardError(
          reason: .refused, operation: "modeset \(output.mode)", object: output.name, message: "injected")
      }
    }
  }

  /// Presents a buffer; the flip event follows.
  ///
  /// An output that is asleep is refused, like in the kernel: an event for a CRTC that stays off is EINVAL
  /// (drm_atomic_crtc_check, drm_atomic_helper_page_flip).
  ///
  /// - Parameter flip: The CRTC and the buffer.
  /// - Throws: `CardError` if the output is disabled or asleep, or if a fault applies.
  package func present(_ flip: FlipRequest) throws(CardError) {
    state.withLock { $0.flipAction }?(.beginning, flip.name)
    // Record and hold the flip in one locked step: a test that sees it in the journal can trigger a vertical blank at
    // once.
    let isDue = try answer("flip", flip.name) { state throws(CardError) in
      try mayFail(.flip, flip.name, &state)
      guard state.lit[flip.crtc] != nil else {
        throw CardError(reason: .refused, operation: "flip", object: flip.name, message: "not enabled")
      }
      guard !state.asleep.contains(flip.crtc) else {
        throw CardError(reason: .refused, operation: "flip", object: flip.name, message: "asleep: enable it first")
      }
      state.lit[flip.crtc]?.buffer = flip.buffer
      state.flips += 1
      state.journal?.append("flip \(flip.name)")
      return self.isDue(PendingFlip(crtc: flip.crtc, modeset: 0), &state)
    }
    if isDue { report(PendingFlip(crtc: flip.crtc, modeset: 0)) }
    state.withLock { $0.flipAction }?(.end, flip.name)
  }

  private func begin(_ call: VirtualCall) async {
    await state.withLock { $0.actions[call] }?()
  }

  /// Ends the events and removes the followers.
  package func close() async {
    continuation.finish()
    followers.end()
  }

  func reportIfDue(_ flip: PendingFlip) {
    if state.withLock({ isDue(flip, &$0) }) { report(flip) }
  }

  /// Returns true if the flip event is due at once.
  ///
  /// Otherwise it is held or dropped.
  private func isDue(_ flip: PendingFlip, _ state: inout State) -> Bool {
    if strikes(.swallowFlip, &state) { return false }
    state.heldFlips?.append(flip)
    return state.heldFlips == nil
  }

  func report(_ flip: PendingFlip) {
    let now = clock()
    let (sequence, time): (UInt32, UInt64) = state.withLock { state in
      if state.oldFlips.remove(flip.crtc) == nil { state.lastFlip = now }
      // Without vertical blanks the kernel reports sequence number 0 (drm_crtc_send_vblank_event).
      if state.hasVBlank { state.sequence += 1 }
      return (state.hasVBlank ? state.sequence : 0, state.lastFlip)
    }
    let flip = Flip(crtc: flip.crtc, sequence: sequence, time: time, modeset: flip.modeset)
    if !followers.deliver(flip) { continuation.yield(.flipped(flip)) }
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

extension ConnectorSnapshot {
  /// Replaces the probed values with those of the last probe.
  fileprivate mutating func keepProbe(_ last: ConnectorSnapshot) {
    status = last.status
    modes = last.modes
    edid = last.edid
    millimeters = last.millimeters
  }
}
