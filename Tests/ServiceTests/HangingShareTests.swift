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

/// A service whose pictures are on a share that does not answer. The kernel asks this process before it opens the file
/// (fanotify(7), FAN_OPEN_PERM), and gets no answer until the test gives one.
@Suite(.enabled(if: geteuid() == 0, "fanotify(7) holds up opens for root alone"), .timeLimit(.minutes(2)))
struct HangingShareTests {
  /// A file that hangs, with a folder of its own.
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
        Picture(size: Size(8, 6), rgb: Array(repeating: [0, 255, 0], count: 48).flatMap { $0 }).png(), picture)
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

    /// Returns when somebody hangs, on a thread that may block.
    func isAsked() async throws {
      try await NIOThreadPool.singleton.runIfActive { [listener] in
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(unsafe poll(&entry, 1, 30_000) == 1)
      }
    }
  }

  @Test func `with a picture that hangs other displays go on, health answers, and the service ends`() async throws {
    let share = try Share()
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start(["--config", "\(share.folder)/placard.toml"])
    _ = try await client.plug(PlugRequest(display: "Virtual-2", width: 640, height: 480))
    let image = Scene(.image(ImagePanel(path: share.picture))).document
    // Two of them would hold up two render threads, which are all that there are on a small machine.
    _ = try await client.open(OpenRequest(scene: image, display: "Virtual-1"))
    try await share.isAsked()
    _ = try await client.open(OpenRequest(scene: image, display: "Virtual-2"))
    _ = try await client.plug(PlugRequest(display: "Virtual-3", width: 320, height: 240))
    let report = try await client.setMessage(MessageRequest(text: "Gate 17", display: "Virtual-3", wait: true))
    #expect(report.shown.map(\.display) == ["Virtual-3"])
    // A slow machine may be beyond the 5 seconds after which the picture counts as missing.
    #expect(try await client.health().reasons.allSatisfy { $0.contains(share.picture) })
    let began = ContinuousClock.now
    kill(pid, SIGTERM)
    #expect(try await service.ending(pid) == 0)
    #expect(ContinuousClock.now - began < .seconds(8))
  }
}
