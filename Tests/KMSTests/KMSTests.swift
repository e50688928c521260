import CDRM
import Displays
import Geometry
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import KMS

struct FlipEventTests {
  /// A `struct drm_event_vblank`: type, length, user_data, tv_sec, tv_usec, sequence, crtc_id.
  private static let flip: [UInt8] = [
    0x02, 0, 0, 0, 0x20, 0, 0, 0,  // DRM_EVENT_FLIP_COMPLETE, 32 bytes
    0x29, 0, 0, 0, 0, 0, 0, 0,  // the cookie: CRTC 41
    0x03, 0, 0, 0, 0x04, 0, 0, 0,  // 3 s and 4 us
    0x07, 0, 0, 0, 0x2A, 0, 0, 0,  // sequence 7, CRTC 42
  ]

  private func parse(_ bytes: [UInt8]) -> [Flip] {
    var buffer = ByteBuffer(bytes: bytes)
    return parseFlipEvents(&buffer)
  }

  @Test func `a flip event contains its CRTC and its time`() {
    #expect(parse(Self.flip) == [Flip(crtc: 42, sequence: 7, time: 3_000_004_000)])
    #expect(parse(Self.flip + Self.flip).count == 2)
  }

  @Test func `the cookie supplies the number of the modeset`() {
    let cookie = FlipCookie(crtc: 41, modeset: 0x8000_0005)
    #expect(cookie.crtc == 41 && cookie.modeset == 0x8000_0005)
    #expect(unsafe UInt64(UInt(bitPattern: cookie.pointer)) == cookie.rawValue)
    var modeset = Self.flip
    modeset.replaceSubrange(12..<16, with: [5, 0, 0, 0x80])
    #expect(parse(modeset) == [Flip(crtc: 42, sequence: 7, time: 3_000_004_000, modeset: 0x8000_0005)])
    #expect(parse(Self.flip).first?.modeset == 0)
  }

  @Test func `the cookie supplies the CRTC if the kernel does not`() {
    var old = Self.flip
    old[28] = 0
    #expect(parse(old) == [Flip(crtc: 41, sequence: 7, time: 3_000_004_000)])
  }

  @Test func `other events are ignored, and a truncated event ends the parsing`() {
    var vblank = Self.flip
    vblank[0] = 1
    #expect(parse(vblank + Self.flip).count == 1)
    for length in 0..<Self.flip.count { #expect(parse(Array(Self.flip.prefix(length))).isEmpty) }
    #expect(parse([UInt8](repeating: 0, count: 64)).isEmpty)
    #expect(parse([UInt8](repeating: 0xFF, count: 64)).isEmpty)
  }
}

struct MasterBackoffTests {
  @Test func `the delay between attempts grows from 20 ms to 5 s`() {
    var backoff = MasterBackoff()
    #expect((0..<4).map { _ in backoff.next() } == [20, 40, 80, 160].map(TimeAmount.milliseconds))
    for _ in 0..<20 { _ = backoff.next() }
    #expect(backoff.next() == .seconds(5))
  }

  @Test func `an event resets the delay to 20 ms, but two waiting services do not wake each other endlessly`() {
    var backoff = MasterBackoff()
    for _ in 0..<20 { _ = backoff.next() }
    backoff.restart(at: .uptimeNanoseconds(0))
    #expect(backoff.next() == .milliseconds(20))
    // Each failed attempt of the other service closes the node, which triggers the watch.
    backoff.restart(at: .uptimeNanoseconds(4_900_000_000))
    #expect(backoff.next() == .milliseconds(40))
    backoff.restart(at: .uptimeNanoseconds(5_100_000_000))
    #expect(backoff.next() == .milliseconds(20))
  }
}

struct KernelModeTests {
  @Test func `a mode is passed to the kernel unchanged`() throws {
    let timing = Timing(
      clock: 148_500, horizontal: [1920, 2008, 2052, 2200, 0], vertical: [1080, 1084, 1089, 1125, 0], vrefresh: 60,
      flags: 5, type: 0x48, name: "1920x1080")
    let mode = Mode(size: .init(1920, 1080), refresh: 60000, isPreferred: true, timing: timing)
    let kernel = try #require(drmModeModeInfo(mode))
    #expect(Mode(kernel: kernel) == mode)
    #expect(drmModeModeInfo(Mode(size: .init(640, 480), refresh: 60000)) == nil)
  }
}

struct KernelAnswerTests {
  static let answers: [(Int32, CardError.Reason)] = [
    (EBUSY, .busy), (EINVAL, .refused), (ENOSPC, .refused), (ERANGE, .refused), (ENOMEM, .refused),
    (EACCES, .notMaster), (EPERM, .notMaster), (ENODEV, .gone), (ENXIO, .gone), (EIO, .gone), (ENOTTY, .other),
    // ENOENT means that a connector disappeared after the probe. The card remains usable.
    (ENOENT, .other),
  ]

  @Test(arguments: answers) func `the errno decides the reason of the error`(
    code: Int32, reason: CardError.Reason
  ) {
    let error = CardError(kernel: code, "MODE_ATOMIC (modeset)", on: "DP-1 on /dev/dri/card0")
    #expect(error.reason == reason && error.errno == code)
    #expect("\(error)".hasPrefix("DP-1 on /dev/dri/card0: MODE_ATOMIC (modeset): "))
  }

  @Test(arguments: [(ENAVAIL, true), (EREMOTEIO, true), (EPROTO, true), (EOPNOTSUPP, true), (EIO, true), (EIO, false)])
  func `any errno of a modeset means refused while the card responds`(code: Int32, isCardThere: Bool) {
    let error = CardError(kernel: code, modeset: "MODE_ATOMIC (modeset)", on: "DP-1") { isCardThere }
    #expect(error.reason == (isCardThere ? .refused : .gone) && error.errno == code)
  }

  @Test(arguments: answers.filter { [.busy, .notMaster].contains($0.1) || [ENODEV, ENXIO, ENOENT].contains($0.0) })
  func `an errno that does not concern the mode keeps its reason in a modeset`(code: Int32, reason: CardError.Reason) {
    #expect(CardError(kernel: code, modeset: "MODE_SETCRTC", on: "DP-1") { true }.reason == reason)
  }

  @Test func `the frame's top is at the panel edge that is mounted upward`() {
    // enum drm_panel_orientation: normal, bottom up, left up, right up. Unknown values count as normal.
    #expect((0...4).map { Rotation(panelOrientation: $0) } == [.none, .half, .threeQuarters, .quarter, .none])
  }

  @Test func `a buffer is allocated in the next format if the first one fails`() throws {
    func make(_ answers: [PixelFormat: Int32]) throws(CardError) -> PixelFormat {
      try KMSCard.buffer([.xrgb8888, .rgb565]) { (format) throws(CardError) in
        if let code = answers[format] { throw CardError(kernel: code, "CREATE_DUMB", on: "\(format)") }
        return format
      }
    }
    func reason(_ answers: [PixelFormat: Int32]) -> String? {
      do throws(CardError) {
        _ = try make(answers)
        return nil
      } catch { return "\(error.object) \(error.reason)" }
    }
    #expect(try make([:]) == .xrgb8888)
    for code in [EINVAL, ENOMEM, ENOTTY] { #expect(try make([.xrgb8888: code]) == .rgb565) }
    // The preferred format's error is reported, unless the card was removed meanwhile.
    #expect(reason([.xrgb8888: ENOMEM, .rgb565: EINVAL]) == "xrgb8888 refused")
    #expect(reason([.xrgb8888: ENOMEM, .rgb565: ENODEV]) == "rgb565 gone")
    // Another format cannot fix these errors.
    #expect(reason([.xrgb8888: EBUSY]) == "xrgb8888 busy")
    #expect(reason([.xrgb8888: EACCES]) == "xrgb8888 notMaster")
  }

  @Test func `a missing node means that the card is gone`() {
    #expect(CardError(kernel: ENOENT, "open", on: "/dev/dri/card0").reason == .gone)
  }

  @Test func `a call that a signal interrupts is repeated, and its last result counts`() {
    var answers: [Int32] = [-EINTR, -EAGAIN, -EINVAL]
    #expect(retryingInterrupts { answers.removeFirst() } == EINVAL)
    #expect(answers.isEmpty && retryingInterrupts { 0 } == 0)
  }

  @Test func `a device that hangs up is lost, and its event reader ends (20)`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (events, continuation) = AsyncStream<CardEvent>.makeStream()
    let loop = NIOSingletons.posixEventLoopGroup.next()
    let channel = try await readingChannel(of: ends[0], on: loop) {
      FlipEventHandler(continuation, FlipFollowers())
    }.get()
    for end in ends { close(end) }
    var reported: [CardEvent] = []
    for await event in events { reported.append(event) }
    #expect(reported == [.lost])
    try? await channel.close()
  }

  @Test func `a descriptor that cannot be duplicated throws an error before NIO traps on it`() {
    let loop = NIOSingletons.posixEventLoopGroup.next()
    let (_, continuation) = AsyncStream<CardEvent>.makeStream()
    let error = #expect(throws: IOError.self) {
      try readingChannel(of: -1, on: loop) { FlipEventHandler(continuation, FlipFollowers()) }
    }
    #expect(error?.errnoCode == EBADF)
  }

  @Test func `a node that is not a card's is not opened as a card (23)`() {
    #expect(CardSupervisor.nodes(in: "/proc/self").isEmpty && CardSupervisor.nodes(in: "/nowhere").isEmpty)
    let error = #expect(throws: CardError.self) { try CardFile(opening: "/dev/null") }
    #expect(error?.reason == .notMaster || error?.reason == .other, "\(String(describing: error))")
  }
}
