import Configuration
import Displays
import FoundationEssentials
import Geometry
import Glibc
import JSON
import Synchronization
import Testing

@testable import Recording

/// The recorder's lines and the files that they are written to.
struct RecorderTests {
  private static func recorder(_ sink: any RecordingSink) -> Recorder {
    Recorder(
      Recorder.Beginning(version: "1", kernel: "Linux", backend: "kms", wall: 0, settings: Settings()),
      sink: sink, limit: .max, now: { 1_000_000_000 })
  }

  private func lines(_ bytes: [UInt8]) throws -> [RecordingLine] {
    try bytes.split(separator: 0x0a).map { try JSON.decode(RecordingLine.self, from: $0) }
  }

  @Test func `successful frames are counted, and a frame without a flip is recorded`() throws {
    let memory = RecordingMemory()
    let recorder = Self.recorder(memory)
    let flip = FlipRequest(crtc: 7, name: "DP-1", buffer: BufferID(1))
    for _ in 0..<104 {
      recorder.presents(flip, to: "card")
      recorder.presented(flip, to: "card")
      recorder.heard(.flipped(Flip(crtc: 7, sequence: 1, time: 5)), from: "card")
    }
    recorder.presents(flip, to: "card")
    recorder.presented(flip, to: "card")
    #expect(try lines(memory.bytes).count == 9, "the header, and four frames with their flips")
    recorder.heard(.changed(connector: nil), from: "card")
    let lines = try lines(memory.bytes)
    #expect(lines.compactMap(\.frames).map(\.count) == [100])
    #expect(lines.compactMap(\.present).count == 5 && lines.last?.event?.kind == .changed)
  }

  @Test func `a refused frame is recorded with the kernel's error`() throws {
    let memory = RecordingMemory()
    let recorder = Self.recorder(memory)
    let flip = FlipRequest(crtc: 7, name: "DP-1", buffer: BufferID(1), damage: [Rect(x: 1, y: 2, width: 3, height: 4)])
    let error = CardError(reason: .busy, operation: "flip", object: "DP-1", errno: EBUSY, message: "busy")
    recorder.presents(flip, to: "card")
    recorder.presented(flip, to: "card", error: error)
    let present = try #require(try lines(memory.bytes).last?.present)
    #expect(present.error?.value == error && present.damage == [[1, 2, 3, 4]])
  }

  @Test(arguments: [0, 5])
  func `events during a flip request do not hide the error of the request`(frames: Int) throws {
    let memory = RecordingMemory()
    let recorder = Self.recorder(memory)
    let (flip, other) = (
      FlipRequest(crtc: 7, name: "DP-1", buffer: BufferID(1)), FlipRequest(crtc: 8, name: "DP-2", buffer: BufferID(2))
    )
    for _ in 0..<frames {
      recorder.presents(flip, to: "card")
      recorder.presented(flip, to: "card")
      recorder.heard(.flipped(Flip(crtc: 7, sequence: 1, time: 5)), from: "card")
    }
    recorder.presents(flip, to: "card")
    recorder.heard(.changed(connector: nil), from: "card")
    recorder.presents(other, to: "card")
    recorder.presented(other, to: "card")
    recorder.presented(
      flip, to: "card", error: CardError(reason: .notMaster, operation: "flip", object: "DP-1", message: "no"))
    let presents = try lines(memory.bytes).compactMap(\.present)
    #expect(presents.map(\.display) == Array(repeating: "DP-1", count: min(frames, 4)) + ["DP-2", "DP-1"])
    #expect(presents.last?.error?.reason == "not master")
  }

  @Test func `snapshots are read as they were written, and equal mode lists are written once`() throws {
    let memory = RecordingMemory()
    let recorder = Self.recorder(memory)
    let timing = Timing(
      clock: 148_500, horizontal: [1920, 2008, 2052, 2200, 0], vertical: [1080, 1084, 1089, 1125, 0], vrefresh: 60,
      flags: 5, type: 0x48, name: "1920x1080")
    let mode = Mode(size: Size(1920, 1080), refresh: 60_000, isPreferred: true, timing: timing)
    let connector = ConnectorSnapshot(
      id: 93, name: "DP-1", kind: ConnectorKind(10), status: .connected, modes: [mode], edid: [1, 2, 3],
      millimeters: Size(600, 340), path: "mst:1-2",
      tile: Tile(group: 1, grid: Size(2, 1), column: 1, row: 0, size: Size(1920, 2160)), isNonDesktop: false,
      isLinkBad: true, orientation: .quarter, possibleCRTCs: 3, currentCRTC: 41)
    let snapshot = CardSnapshot(
      card: "card", driver: "i915", connectors: [connector], crtcs: [CRTCSnapshot(id: 41, isEnabled: true)])
    for _ in 0..<2 { recorder.answered(recorder.asks(.probe, of: "card"), snapshot) }
    let run = try #require(try RecordingReader.runs(of: memory.bytes).first)
    #expect(run.snapshots == [1: snapshot, 2: snapshot])
    #expect(
      try lines(memory.bytes).compactMap(\.answer?.snapshot).map { $0.connectors[0].modes == nil } == [false, true])
  }

  @Test func `a full recording says so in its last line, and calls its handler once`() throws {
    let memory = RecordingMemory()
    let messages = Messages()
    let recorder = Recorder(
      Recorder.Beginning(version: "1", kernel: "Linux", backend: "kms", wall: 0, settings: Settings()),
      sink: memory, limit: 4000, now: { 0 }, isFull: { messages.add($0) })
    for _ in 0..<200 { recorder.heard(.changed(connector: nil), from: "card") }
    let lines = try lines(memory.bytes)
    #expect(lines.last?.end == "the recording is full" && messages.all.count == 1 && memory.bytes.count < 4200)
  }

  @Test func `a file that cannot be opened is named in the error, with the next step`() {
    for path in ["/no/such/folder/file", "/tmp", "/dev/null"] {
      #expect { try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in }) } throws: { error in
        "\(error)".hasPrefix("\(path): cannot be recorded to: ") && "\(error)".contains("give --record a file")
      }
    }
  }

  @Test func `a recording continues after an incomplete line, and only its owner can read it`() throws {
    let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unsafe unlink(path) }
    for part in ["{\"header\":{torn", "{\"second\":1}\n"] {
      let file = try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in })
      #expect(file.write(Array(part.utf8)))
    }
    let file = try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in })
    #expect(file.size == "{\"header\":{torn\n{\"second\":1}\n".utf8.count)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: RecordingFile.OpeningError.self) {
      try RecordingFile(path: path, limit: 5, on: { $0() }, complain: { _ in })
    }
  }

  @Test func `the lock of a closed file is released, although a forked process still has its descriptor`() throws {
    let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unsafe unlink(path) }
    var copy: Int32 = -1
    do {
      let file = try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in })
      copy = dup(try #require(Self.descriptor(of: path)))
      #expect(file.size == 0)
    }
    defer { close(copy) }
    #expect(throws: Never.self) { try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in }) }
  }

  /// Returns this process's descriptor of an open file.
  private static func descriptor(of path: String) -> Int32? {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let found = numbers.first { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
    }
    return found.flatMap { Int32($0) }
  }

  @Test(arguments: ["root:x:0:0\n", "{\"t\":1}\n", "\u{0}", "{\"heads\":{"])
  func `a file that is not a recording is refused and stays unchanged`(text: String) throws {
    let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unsafe unlink(path) }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
    _ = unsafe write(descriptor, text, text.utf8.count)
    close(descriptor)
    #expect { try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in }) } throws: { error in
      "\(error)".hasPrefix(
        "\(path): cannot be recorded to: it is not empty, and its first line is not that of a recording; give --record")
    }
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_size == text.utf8.count)
  }

  @Test func `two services cannot record to the same file`() throws {
    let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unsafe unlink(path) }
    let first = try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in })
    #expect { try RecordingFile(path: path, limit: 100, on: { $0() }, complain: { _ in }) } throws: { error in
      "\(error)".contains("another service records to it")
    }
    #expect(first.size == 0)
  }
}

/// The messages that a handler received.
private final class Messages: Sendable {
  private let kept = Mutex<[String]>([])
  var all: [String] { kept.withLock { $0 } }
  func add(_ words: String) { kept.withLock { $0.append(words) } }
}
