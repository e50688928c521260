import CLinux
import Control
import ControlClient
import Geometry
import Glibc
import NIOCore
import NIOPosix
import Pictures
import Scenes
import Testing

/// A daemon whose images are on a share that does not respond.
///
/// Before the file is opened, the kernel asks this process for permission (fanotify(7), FAN_OPEN_PERM), and the test
/// delays the answer.
@Suite(.enabled(if: geteuid() == 0, "fanotify(7) holds up opens for root alone"), .timeLimit(.minutes(10)))
struct HangingShareTests {
  /// A file that hangs, in its own folder.
  private final class Share: Sendable {
    let folder: String
    let picture: String
    private let listener: CInt

    init() throws {
      var name = Array("/tmp/placard-share-XXXXXX".utf8CString)
      try #require(unsafe mkdtemp(&name) != nil)
      folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      picture = "\(folder)/green.png"
      try Self.write(
        RGBImage(size: Size(8, 6), rgb: Array(repeating: [0, 255, 0], count: 48).flatMap { $0 }).png(), picture)
      try Self.write(Array("folders = [\"\(folder)\"]\n".utf8), "\(folder)/placard.toml")
      listener = fanotify_init(CUnsignedInt(FAN_CLASS_CONTENT | FAN_CLOEXEC), CUnsignedInt(O_RDONLY | O_CLOEXEC))
      try #require(listener >= 0)
      let marked = unsafe fanotify_mark(listener, CUnsignedInt(FAN_MARK_ADD), UInt64(FAN_OPEN_PERM), AT_FDCWD, picture)
      try #require(marked == 0, "fanotify_mark: errno \(errno)")
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
      let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o644)
      defer { close(descriptor) }
      try #require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    deinit {
      close(listener)
      for path in [picture, "\(folder)/placard.toml"] { unsafe unlink(path) }
      unsafe rmdir(folder)
    }

    /// Waits until a process hangs, on a thread that may block.
    func isAsked() async throws {
      try await NIOThreadPool.singleton.runIfActive { [listener] in
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(unsafe poll(&entry, 1, 300_000) == 1)
      }
    }
  }

  @Test func `a hanging image does not block other displays, the health report or the shutdown`() async throws {
    let share = try Share()
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start(["--config", "\(share.folder)/placard.toml"])
    _ = try await client.plug(PlugRequest(display: "Virtual-2", width: 640, height: 480))
    let image = Scene(.image(ImagePanel(path: share.picture))).document
    // Two of them would block two render threads, which are all that a small machine has.
    _ = try await client.open(OpenRequest(scene: image, display: "Virtual-1"))
    try await share.isAsked()
    _ = try await client.open(OpenRequest(scene: image, display: "Virtual-2"))
    _ = try await client.plug(PlugRequest(display: "Virtual-3", width: 320, height: 240))
    let report = try await client.setMessage(MessageRequest(text: "Gate 17", display: "Virtual-3", wait: true))
    #expect(report.shown.map(\.display) == ["Virtual-3"])
    // On a slow machine, the 5 seconds after which the image counts as missing may have passed.
    #expect(try await client.health().reasons.allSatisfy { $0.contains(share.picture) })
    kill(pid, SIGTERM)
    // The status is 1 if the shutdown exceeded its limit.
    #expect(try await service.ending(pid) == 0)
  }
}
