import CDRM
public import Displays
public import Geometry
public import NIOCore
import Synchronization

/// A real card. This process is its DRM master from opening to closing.
///
/// The actor runs on a thread of its own kind of work: probes and modesets, which block. `present` is an ioctl that painters
/// call on their own threads; flip events are read by the loop that `open` is given.
public actor KMSCard: DisplayCard {
  /// The device node.
  public nonisolated let path: String
  /// What the card tells; ends when the device is gone or the card was closed.
  public nonisolated let events: AsyncStream<CardEvent>
  /// Who hears of flips, on the loop that `open` is given, instead of `events`.
  public nonisolated let followers = FlipFollowers()
  /// Runs the actor on the loop for calls that block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe worker.executor.asUnownedSerialExecutor() }

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

  /// Opens the node and becomes its master, or throws: `.notMaster` while somebody else is, `.other` where it has no
  /// display outputs.
  public static func open(
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

  /// Opens on the worker: a card that sleeps is woken by that, which can take long.
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

  /// Runs `action` once the card is of no more use: the device went, or `close` was called.
  nonisolated func whenClosed(_ action: @escaping @Sendable () -> Void) {
    closed.futureResult.whenComplete { _ in action() }
  }

  /// Nobody waits for the channel: the first probe needs no flips, and the kernel keeps up to 4 kB of them until they are
  /// read (drm_file's event_space). A card of whose flips nothing will be heard is of no use.
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

  /// The `DRM_IOCTL_MODE_ATOMIC` driver or the legacy one, for people.
  public nonisolated var interface: String { isAtomic ? "atomic" : "legacy" }

  /// Passes on that something may have changed.
  public nonisolated func hint() { continuation.yield(.changed) }

  /// Tells that the device node is gone.
  public nonisolated func vanish() {
    continuation.yield(.lost)
    continuation.finish()
  }

  /// Asks every connector what is plugged into it. A probe of somebody who is not master only reads what the kernel knows
  /// already ("demoting to read-only probe"), so that master is taken back first, or it fails with `.notMaster`.
  public func probe() async throws(CardError) -> CardSnapshot {
    try file.beMaster()
    return try modeset.probe.snapshot(driver: driver)
  }

  /// A dumb buffer; RGB565 where XRGB8888 is not to be had or the driver would rather have 16 bits.
  public func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
    let prefersDeep = file.capability(Int32(DRM_CAP_DUMB_PREFERRED_DEPTH)) != 16
    return try Self.buffer(prefersDeep ? [.xrgb8888, .rgb565] : [.rgb565, .xrgb8888]) {
      (format) throws(CardError) in try file.allocateDumbBuffer(size, format)
    }
  }

  /// A buffer in the first of two formats that is to be had.
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
        // Why the better one is not to be had is what counts: some drivers know no other.
        throw error.reason == .gone ? error : first
      }
    }
  }

  /// TEST_ONLY; the legacy interface cannot test and says yes.
  public func check(_ plan: ModesetPlan) async throws(CardError) {
    guard isAtomic else { return }
    let flags = UInt32(DRM_MODE_ATOMIC_TEST_ONLY) | UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    if !plan.asleep.isEmpty { try modeset.sleep(plan.asleep, flags: flags) }
    if !plan.lit.isEmpty { _ = try modeset.light(plan.lit, flags: flags) }
  }

  /// Switches off what is to be dark, puts to sleep what is to be asleep, then lights what is to be lit in one commit with
  /// its first picture.
  public func apply(_ plan: ModesetPlan) async throws(CardError) {
    if !plan.dark.isEmpty { try darken(plan.dark) }
    if !plan.asleep.isEmpty { try sleep(plan.asleep) }
    if !plan.lit.isEmpty { try light(plan.lit) }
  }

  private func darken(_ crtcs: [UInt32]) throws(CardError) {
    targets.withLock { targets in for crtc in crtcs { targets[crtc] = nil } }
    if isAtomic { return try modeset.darken(crtcs, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)) }
    for crtc in crtcs { try LegacyModeset(file: file).darken(crtc) }
  }

  /// The targets go last: where the kernel refuses, what is lit can still flip. A flip that comes between is refused by
  /// the kernel ("requesting event but off" is EINVAL).
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
        reason: .other, operation: "sleep", object: "\(output.name) on \(path)", message: "it has no DPMS property")
    }
    try LegacyModeset(file: file).sleep(output, dpms: property)
  }

  private func light(_ outputs: [LitOutput]) throws(CardError) {
    if isAtomic {
      let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
      let lit = try modeset.light(outputs, flags: flags)
      targets.withLock { $0.merge(lit) { $1 } }
    } else {
      for output in outputs {
        try LegacyModeset(file: file).light(output)
        targets.withLock { $0[output.crtc] = FlipTarget(plane: nil) }
      }
    }
  }

  /// Asks for the buffer at the next vertical blank.
  public nonisolated func present(_ flip: FlipRequest) throws(CardError) {
    guard let target = targets.withLock({ $0[flip.crtc] }) else {
      throw CardError(
        reason: .refused, operation: "flip", object: flip.name, message: "CRTC \(flip.crtc) is not lit")
    }
    guard let plane = target.plane else { return try LegacyModeset(file: file).flip(flip) }
    try file.flipAtomic(flip, target, plane: plane)
  }

  /// Stops reading and gives master up. The node itself closes when the last buffer is let go of; then the kernel's
  /// console takes the screen back (drm_lastclose), also from what is asleep: its modeset makes every CRTC active.
  public func close() async {
    continuation.finish()
    followers.end()
    try? await reading?.get().close()
    _ = drmDropMaster(file.descriptor)
  }
}
