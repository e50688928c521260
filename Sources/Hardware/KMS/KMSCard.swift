import CDRM
package import Displays
package import Geometry
package import NIOCore
import Synchronization

/// A real card, of which this process is DRM master from opening to closing.
///
/// The actor runs on the worker loop, because probes and modesets block. Render threads call `present`, a single ioctl,
/// on their own threads. The loop that is passed to `open` reads the flip events.
package actor KMSCard: DisplayCard {
  /// The device node.
  package nonisolated let path: String
  /// The card's events.
  ///
  /// The stream ends when the device is gone or the card is closed.
  package nonisolated let events: AsyncStream<CardEvent>
  /// The followers that receive flips instead of `events`, on the loop that is passed to `open`.
  package nonisolated let followers = FlipFollowers()
  /// The executor of the worker loop, on which blocking calls run.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe worker.executor.asUnownedSerialExecutor() }

  private nonisolated let file: CardFile
  private nonisolated let worker: any EventLoop
  private nonisolated let continuation: AsyncStream<CardEvent>.Continuation
  private nonisolated let targets = Mutex<[UInt32: FlipTarget]>([:])
  private nonisolated let isAtomic: Bool
  private let driver: String
  private var modeset: AtomicModeset
  /// The channel that reads flips, once it is open.
  private var reading: EventLoopFuture<any Channel>?
  private nonisolated let closed: EventLoopPromise<Void>

  /// Opens a card and makes this process its DRM master.
  ///
  /// - Parameters:
  ///   - path: The device node.
  ///   - isAtomicAllowed: False to use the legacy interface.
  ///   - worker: The event loop for blocking calls.
  ///   - loop: The event loop that reads flip events.
  /// - Throws: `CardError`: `.notMaster` while another program is master, `.other` if the card has no display outputs.
  /// - Returns: The open card.
  package static func open(
    _ path: String, isAtomicAllowed: Bool, worker: any EventLoop, events loop: any EventLoop
  ) async throws(CardError) -> KMSCard {
    let card = try await opened(path, isAtomicAllowed, worker).get()
    do {
      try await card.startReading(on: loop)
    } catch {
      card.closed.succeed()
      throw error
    }
    return card
  }

  /// Opens the card on the worker, because this can wake a suspended device, which takes long.
  private static func opened(
    _ path: String, _ isAtomicAllowed: Bool, _ worker: any EventLoop
  ) async -> Result<KMSCard, CardError> {
    do {
      return try await worker.submit {
        Result { () throws(CardError) in try KMSCard(opening: path, isAtomicAllowed, worker) }
      }.get()
    } catch {
      return .failure(CardError(reason: .other, operation: "open", object: path, message: "\(error)"))
    }
  }

  private init(opening path: String, _ isAtomicAllowed: Bool, _ worker: any EventLoop) throws(CardError) {
    let file = try CardFile(opening: path)
    self.path = path
    self.worker = worker
    self.file = file
    isAtomic = isAtomicAllowed && file.enable(DRM_CLIENT_CAP_ATOMIC)
    modeset = AtomicModeset(probe: try CardProbe(file))
    driver = file.driver
    closed = worker.makePromise()
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Runs `action` once the card is unusable: the device is gone, or `close` was called.
  nonisolated func whenClosed(_ action: @escaping @Sendable () -> Void) {
    closed.futureResult.whenComplete { _ in action() }
  }

  /// Starts to read flip events without waiting for the channel.
  ///
  /// The first probe needs no flips, and the kernel queues up to 4 KiB of events until they are read (drm_file's
  /// event_space). A card whose flips cannot be read is unusable, so a failure emits `lost`.
  private func startReading(on loop: any EventLoop) throws(CardError) {
    let (closed, continuation, followers) = (closed, continuation, followers)
    do throws(IOError) {
      let reading = try readingChannel(of: file.descriptor, on: loop) { FlipEventHandler(continuation, followers) }
      reading.whenComplete { result in
        if case .success(let channel) = result { return channel.closeFuture.cascade(to: closed) }
        continuation.yield(.lost)
        continuation.finish()
        closed.succeed()
      }
      self.reading = reading
    } catch {
      throw CardError(kernel: error.errnoCode, "watch for events", on: path)
    }
  }

  /// True on the atomic interface.
  package nonisolated var commitsTogether: Bool { isAtomic }

  /// The name of the kernel interface in use, `atomic` or `legacy`, for messages.
  package nonisolated var interface: String { isAtomic ? "atomic" : "legacy" }

  /// Emits `changed`.
  ///
  /// - Parameter connector: The object ID of the only connector that changed; nil if it is unknown.
  package nonisolated func hint(connector: UInt32? = nil) { continuation.yield(.changed(connector: connector)) }

  /// Emits `lost` and ends the events, as when the device node is gone.
  package nonisolated func sendLost() {
    continuation.yield(.lost)
    continuation.finish()
  }

  /// Probes connectors.
  ///
  /// For a process that is not DRM master, the kernel only returns what it already knows ("demoting to read-only
  /// probe"). Master is therefore acquired first.
  ///
  /// - Parameter connectors: The object IDs of the connectors to probe; nil for all.
  /// - Throws: `CardError`, with the reason `.notMaster` if master cannot be acquired.
  /// - Returns: The state of the card.
  package func probe(_ connectors: Set<UInt32>?) async throws(CardError) -> CardSnapshot {
    try file.ensureMaster()
    return try modeset.probe.snapshot(driver: driver, probing: connectors)
  }

  /// Allocates a dumb buffer.
  ///
  /// The format is XRGB8888. RGB565 is used if that fails, or if the driver prefers a depth of 16 bits.
  ///
  /// - Parameter size: The size in pixels.
  /// - Throws: `CardError` if no format can be allocated.
  /// - Returns: A buffer that the caller owns.
  package func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
    let prefersDeep = file.capability(Int32(DRM_CAP_DUMB_PREFERRED_DEPTH)) != 16
    return try Self.buffer(prefersDeep ? [.xrgb8888, .rgb565] : [.rgb565, .xrgb8888]) {
      (format) throws(CardError) in try file.allocateDumbBuffer(size, format)
    }
  }

  /// Returns a buffer in the first of two formats that can be allocated.
  static func buffer<Buffer: ~Copyable>(
    _ formats: [PixelFormat], _ make: (PixelFormat) throws(CardError) -> Buffer
  ) throws(CardError) -> Buffer {
    do {
      return try make(formats[0])
    } catch {
      let first = error
      guard first.reason == .refused || first.reason == .other else { throw first }
      do {
        return try make(formats[1])
      } catch {
        // Report the preferred format's error: many drivers support no other format.
        throw error.reason == .gone ? error : first
      }
    }
  }

  /// Tests a plan with TEST_ONLY.
  ///
  /// Succeeds on the legacy interface, which cannot test. CRTCs to disable are not part of the test.
  ///
  /// - Parameter plan: The plan to test.
  /// - Throws: `CardError` if the kernel would reject the plan.
  package func check(_ plan: ModesetPlan) async throws(CardError) {
    guard isAtomic else { return }
    let flags = UInt32(DRM_MODE_ATOMIC_TEST_ONLY) | UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    if !plan.asleep.isEmpty { try modeset.sleep(plan.asleep, flags: flags) }
    if !plan.lit.isEmpty { _ = try modeset.light(plan.lit, flags: flags) }
  }

  /// Disables CRTCs, puts outputs to sleep, then enables outputs with their first frame.
  ///
  /// Each step is one commit on the atomic interface.
  ///
  /// - Parameter plan: The plan to apply.
  /// - Throws: `CardError` if a step fails. Earlier steps remain in effect.
  package func apply(_ plan: ModesetPlan) async throws(CardError) {
    if !plan.dark.isEmpty { try darken(plan.dark) }
    if !plan.asleep.isEmpty { try sleep(plan.asleep) }
    if !plan.lit.isEmpty { try light(plan.lit, number: plan.number) }
  }

  private func darken(_ crtcs: [UInt32]) throws(CardError) {
    targets.withLock { targets in for crtc in crtcs { targets[crtc] = nil } }
    if isAtomic { return try modeset.darken(crtcs, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)) }
    for crtc in crtcs { try LegacyModeset(file: file).darken(crtc) }
  }

  /// Puts outputs to sleep and removes their flip targets last, so that outputs can still flip if the kernel refuses.
  ///
  /// The kernel rejects a flip in between ("requesting event but off" is EINVAL).
  private func sleep(_ outputs: [SleepingOutput]) throws(CardError) {
    if isAtomic {
      try modeset.sleep(outputs, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
    } else {
      for output in outputs { try sleepByDPMS(output) }
    }
    targets.withLock { targets in for output in outputs { targets[output.crtc] = nil } }
  }

  private func sleepByDPMS(_ output: SleepingOutput) throws(CardError) {
    guard let property = modeset.probe.properties(ofConnector: output.connector).ids["DPMS"] else {
      throw CardError(
        reason: .other, operation: "sleep", object: "\(output.name) on \(path)",
        message: "the connector has no DPMS property")
    }
    try LegacyModeset(file: file).sleep(output, dpms: property)
  }

  private func light(_ outputs: [EnabledOutput], number: UInt32) throws(CardError) {
    if isAtomic {
      let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
      // A CRTC that is asleep cannot be part of a commit with events ("requesting event but off").
      let asleep = modeset.crtcsLeft(by: outputs).filter { !$0.isActive }.map(\.crtc)
      if !asleep.isEmpty { try darken(asleep) }
      let lit = try modeset.light(outputs, flags: flags, number: number)
      targets.withLock { $0.merge(lit) { $1 } }
    } else {
      for output in outputs {
        try LegacyModeset(file: file).light(output, number: number)
        targets.withLock { $0[output.crtc] = FlipTarget(plane: nil) }
      }
    }
  }

  /// Queues a buffer for the next vertical blank.
  ///
  /// - Parameter flip: The CRTC and the buffer.
  /// - Throws: `CardError` if the flip was not queued; `.refused` if the CRTC is disabled or asleep.
  package nonisolated func present(_ flip: FlipRequest) throws(CardError) {
    guard let target = targets.withLock({ $0[flip.crtc] }) else {
      throw CardError(
        reason: .refused, operation: "flip", object: flip.name, message: "CRTC \(flip.crtc) is not enabled")
    }
    guard let plane = target.plane else { return try LegacyModeset(file: file).flip(flip) }
    try file.flipAtomic(flip, target, plane: plane)
  }

  /// Stops reading and drops DRM master.
  ///
  /// The node closes when the last buffer is released. The kernel's console then restores its own modeset
  /// (drm_lastclose), even on outputs that are asleep, because it makes every CRTC active.
  package func close() async {
    continuation.finish()
    followers.end()
    try? await reading?.get().close()
    _ = drmDropMaster(file.descriptor)
  }
}
