import Testing

@testable import Lab

struct FrameTests {
  @Test func `a frame has kind, job, length and payload in little-endian`() {
    let frame = Frame(kind: .input, job: 0x0102_0304, payload: [0xaa, 0xbb])
    #expect(
      frame.encoded == [
        3,  // input
        4, 3, 2, 1,  // job
        2, 0, 0, 0,  // length
        0xaa, 0xbb,
      ])
  }

  @Test func `frames are decoded unchanged, however the bytes are split`() throws {
    let frames = [
      Frame(kind: .hello, payload: Array("nonce".utf8)), Frame(kind: .run, job: 1, payload: [0, 0, 0]),
      Frame(kind: .inputEnd, job: .max), Frame(kind: .output, job: 7, payload: [UInt8](repeating: 9, count: 32768)),
    ]
    let bytes = frames.flatMap(\.encoded)
    for step in [1, 2, 7, 4096, bytes.count] {
      var decoder = FrameDecoder()
      var found: [Frame] = []
      for start in stride(from: 0, to: bytes.count, by: step) {
        decoder.append(Array(bytes[start..<min(start + step, bytes.count)]))
        while let frame = try decoder.next() { found.append(frame) }
      }
      #expect(found == frames, "in pieces of \(step)")
    }
  }

  @Test func `a host that connects in the middle of a frame is understood`() throws {
    let hello = Frame(kind: .hello, payload: [1, 2, 3])
    let long = Frame(kind: .input, job: 1, payload: [UInt8](repeating: 5, count: Frame.maximumPayload)).encoded
    for cut in [1, 5, 9, 10, long.count - 1] {
      var decoder = FrameDecoder()
      decoder.append(Array(long[..<cut]) + Frame.resync + hello.encoded)
      var last: Frame?
      while let frame = try decoder.next() { last = frame }
      #expect(last == hello, "cut after \(cut)")
    }
  }

  @Test func `bytes that are not frames are an error`() {
    var decoder = FrameDecoder()
    decoder.append([200, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(throws: LabError.self) { try decoder.next() }
    decoder = FrameDecoder()
    decoder.append([1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
    #expect(throws: LabError.self) { try decoder.next() }
  }

  @Test func `long content is split into frames, and empty content has no frame`() {
    let frames = Frame.split(.input, job: 3, [UInt8](repeating: 1, count: 70000))
    #expect(frames.map(\.payload.count) == [32768, 32768, 4464])
    #expect(Frame.split(.input, job: 3, []).isEmpty)
  }

  @Test func `a command survives encoding and decoding`() {
    let command = GuestCommand(arguments: ["sh", "-c", "echo ü"], environment: ["A=", "B=c=d"], directory: "/tmp")
    #expect(GuestCommand(parsing: command.encoded) == command)
    for length in 0..<command.encoded.count { #expect(GuestCommand(parsing: Array(command.encoded[..<length])) == nil) }
    #expect(GuestCommand(parsing: [0xff, 0xff, 0xff, 0xff]) == nil)
  }

  @Test(arguments: [
    GuestOutcome.ended(.exited(3)), .ended(.signalled(9)), .ended(.exited(-1)), .refused("no such file"),
  ])
  func `an outcome survives encoding and decoding`(outcome: GuestOutcome) {
    #expect(GuestOutcome(parsing: outcome.encoded) == outcome)
    #expect(GuestOutcome(parsing: Array(outcome.encoded.dropLast())) == nil)
  }

  @Test func `a wait status is an exit code or a signal`() {
    #expect(ExitStatus(waitStatus: 0x0300) == .exited(3))
    #expect(ExitStatus(waitStatus: 9) == .signalled(9))
    #expect(ExitStatus(waitStatus: 0x8b) == .signalled(11))
  }
}
