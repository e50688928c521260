import CLinux
import Glibc
import FoundationEssentials
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Uevents

@Suite(.timeLimit(.minutes(10)))
struct HotplugListenerTests {
  private let loop = NIOSingletons.posixEventLoopGroup.next()
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Returns a socket pair in place of netlink. The far end accepts the messages of the kernel.
  private func pair() throws -> (near: Int32, far: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  /// Returns sources that open these sockets in order and then fail.
  private func sources(_ sockets: Int32...) -> HotplugListener.Sources {
    let left = Mutex(sockets)
    var sources = HotplugListener.Sources()
    sources.sysfs = "/nowhere/at/all"
    sources.pause = .nanoseconds(0)
    sources.openSocket = { () throws(UeventSocketError) in
      guard let next = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        throw UeventSocketError(call: "socket", errno: EPERM)
      }
      return next
    }
    return sources
  }

  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func `kernel messages become hotplug events`() async throws {
    let (near, far) = try pair()
    defer { close(far) }
    let hints = HotplugListener(logger: logger, sources: sources(near)).hints(on: loop, pollingOn: loop)
    send(UeventTests.bytes("add@/devices/x/net/eth0", "SUBSYSTEM=net"), to: far)
    send(Array("libudev\0nonsense".utf8), to: far)
    send(UeventTests.plug, to: far)
    var iterator = hints.makeAsyncIterator()
    #expect(await iterator.next() == .connectors(card: "/dev/dri/card0", connector: 93, property: nil))
    send(UeventTests.bytes("remove@/devices/x/drm/card0", "SUBSYSTEM=drm"), to: far)
    send(UeventTests.plug, to: far)
    #expect(await iterator.next() == .cardRemoved("/dev/dri/card0"))
    #expect(await iterator.next() == .connectors(card: "/dev/dri/card0", connector: 93, property: nil))
  }

  @Test func `a socket that fails is reopened, and all cards are probed`() async throws {
    let (first, second) = (try pair(), try pair())
    defer { close(second.far) }
    let hints = HotplugListener(logger: logger, sources: sources(first.near, second.near)).hints(
      on: loop, pollingOn: loop)
    close(first.far)
    var iterator = hints.makeAsyncIterator()
    #expect(await iterator.next() == .overflow)
    send(UeventTests.plug, to: second.far)
    #expect(await iterator.next() == .connectors(card: "/dev/dri/card0", connector: 93, property: nil))
  }

  @Test func `a consumer that misses events in a burst is notified to probe all cards`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: HotplugEvent.self, bufferingPolicy: .bufferingNewest(4))
    var sources = sources()
    sources.debouncer = Debouncer(quiet: 0, longest: 0)
    try await loop.submit { [sources] in
      let pump = HotplugEventReader(
        loop: loop, pollLoop: loop, logger: logger, sources: sources, continuation: continuation)
      for card in 0..<9 { pump.receive(.cardAdded("/dev/dri/card\(card)")) }
      pump.stop()
    }.get()
    var found: [HotplugEvent] = []
    for await hint in stream { found.append(hint) }
    #expect(found.count == 4)
    #expect(found.last == .overflow)
  }

  @Test func `the event stream ends when the loop shuts down`() async throws {
    let (first, second) = (try pair(), try pair())
    defer { for far in [first.far, second.far] { close(far) } }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let hints = HotplugListener(logger: logger, sources: sources(first.near, second.near)).hints(
      on: group.next(), pollingOn: loop)
    try await group.shutdownGracefully()
    for await hint in hints { #expect(hint == .overflow) }
  }

  @Test func `releasing the event stream closes the socket`() async throws {
    let (near, far) = try pair()
    defer { close(far) }
    var hints: AsyncStream<HotplugEvent>? = HotplugListener(logger: logger, sources: sources(near)).hints(
      on: loop, pollingOn: loop)
    #expect(hints != nil)
    hints = nil
    var wait = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&wait, 1, 300_000) == 1)
    #expect(Int32(wait.revents) & Int32(POLLHUP) != 0)
  }

  @Test func `sysfs is polled if there is no socket`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/placard-sysfs-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connector = folder + "/card0-HDMI-A-1"
    try FileManager.default.createDirectory(atPath: connector, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/card0", withIntermediateDirectories: true)
    let status = { (text: String) in
      FileManager.default.createFile(atPath: connector + "/status", contents: Data(text.utf8))
    }
    #expect(status("disconnected\n"))
    var sources = sources()
    sources.sysfs = folder
    sources.period = .milliseconds(5)
    let hints = HotplugListener(logger: logger, sources: sources).hints(on: loop, pollingOn: loop)
    // The first poll may come before or after a change, so keep changing the status.
    let plugging = Task {
      var turn = 0
      while !Task.isCancelled {
        turn += 1
        _ = status(turn.isMultiple(of: 2) ? "connected\n" : "disconnected\n")
        try? await loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
      }
    }
    defer { plugging.cancel() }
    var iterator = hints.makeAsyncIterator()
    #expect(await iterator.next() == .connectors(card: "/dev/dri/card0", connector: nil, property: nil))
  }

  @Test(.enabled(if: Kernel.canBeAsked, Kernel.missing))
  func `the netlink socket delivers events that are triggered through sysfs`() async throws {
    let descriptor = try UeventSocket.open()
    defer { close(descriptor) }
    #expect(Kernel.trigger())
    #expect(waitForNull(on: descriptor))
  }

  @Test(.enabled(if: Kernel.canBeAsked, Kernel.missing))
  func `a netlink socket that overflows is reopened, and all cards are probed`() async throws {
    let sockets = Mutex([Int32(1), 1 << 20])
    var sources = sources()
    sources.openSocket = { () throws(UeventSocketError) in
      try UeventSocket.open(bufferSize: sockets.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
    }
    let hints = HotplugListener(logger: logger, sources: sources).hints(on: loop, pollingOn: loop)
    // Triggering the events on the loop keeps it from reading them.
    try await loop.submit { for _ in 0..<200 { #expect(Kernel.trigger()) } }.get()
    var iterator = hints.makeAsyncIterator()
    #expect(await iterator.next() == .overflow)
  }

  /// Returns whether the event of the null device arrives. Events of other devices may come first.
  private func waitForNull(on descriptor: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16384)
    for _ in 0..<1000 {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, 300_000) == 1 else { return false }
      let count = unsafe read(descriptor, &bytes, bytes.count)
      if count > 0, let event = Uevent(bytes.prefix(count)), event.devicePath.hasSuffix("/null") {
        return event.action == "change" && event.fields["SUBSYSTEM"] == "mem"
      }
    }
    return false
  }
}

/// A trigger of kernel events of the null device, which every machine has.
private enum Kernel {
  static let missing: Comment = "netlink or /sys/class/mem/null/uevent is not available here"

  static let canBeAsked: Bool = {
    guard let descriptor = try? UeventSocket.open() else { return false }
    close(descriptor)
    return trigger()
  }()

  static func trigger() -> Bool {
    let file = unsafe open("/sys/class/mem/null/uevent", O_WRONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    return unsafe write(file, "change", 6) == 6
  }
}
