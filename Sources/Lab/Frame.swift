/// One message between the host and the agent in the guest, over a virtio-serial port.
///
/// On the wire: kind (1 byte), job (4), length of the payload (4), payload; little-endian. A zero byte between frames
/// is padding. A host that takes over a port from one that died in the middle of a frame sends `resync` first, which
/// completes whatever frame was under way, and then `hello`.
struct Frame: Sendable, Equatable {
  /// What a frame says. Requests of the host are below 32, answers of the agent from 32 on.
  enum Kind: UInt8, Sendable {
    /// Payload: a number that `welcome` repeats. Ends all jobs that an earlier host left on the port.
    case hello = 1
    /// Starts a program: payload is a `GuestCommand`.
    case run
    /// Bytes for the standard input of the job, or for the file that it writes.
    case input
    /// No more input.
    case inputEnd
    /// Payload: the number of a signal for the job's process group.
    case signal
    /// Payload: mode (4 bytes), path. The content comes as input.
    case writeFile
    /// Payload: path. The content goes as output.
    case readFile
    /// Sends all uevents so far and from now on.
    case uevents
    /// Asks for the guest's CLOCK_MONOTONIC.
    case clock

    case welcome = 32
    case output
    case errorOutput
    /// Payload: `GuestOutcome`. The last frame of a job.
    case end
    /// Payload: nanoseconds of CLOCK_MONOTONIC (8 bytes), then the kernel's message as it came.
    case uevent
    /// Payload: nanoseconds of CLOCK_MONOTONIC (8 bytes).
    case time
  }

  var kind: Kind
  /// Chosen by the host; 0 where no job is meant.
  var job: UInt32 = 0
  var payload: [UInt8] = []

  /// Longest payload that is sent and accepted.
  static let maximumPayload = 32768
  static let headerSize = 9
  /// Enough padding to complete any frame.
  static let resync = [UInt8](repeating: 0, count: maximumPayload + headerSize)

  /// The frame as bytes on the wire.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(kind.rawValue)
    writer.append(job)
    writer.append(UInt32(payload.count))
    return writer.bytes + payload
  }

  /// The content cut into as many frames as it takes.
  static func split(_ kind: Kind, job: UInt32, _ content: [UInt8]) -> [Frame] {
    stride(from: 0, to: content.count, by: maximumPayload).map { start in
      Frame(kind: kind, job: job, payload: Array(content[start..<min(start + maximumPayload, content.count)]))
    }
  }
}

/// Cuts a stream of bytes into frames.
struct FrameDecoder: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  mutating func append(_ more: [UInt8]) {
    if start > 1 << 16 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes += more
  }

  /// The next whole frame, or nil until more bytes come. Throws when the bytes are no frames: the stream is lost then.
  mutating func next() throws(LabError) -> Frame? {
    while start < bytes.count, bytes[start] == 0 { start += 1 }
    var reader = ByteReader(bytes[start...])
    guard let code = reader.next(UInt8.self), let job = reader.next(UInt32.self), let length = reader.next(UInt32.self)
    else { return nil }
    guard let kind = Frame.Kind(rawValue: code), length <= Frame.maximumPayload else {
      throw LabError(.refused, "the guest's agent and this program do not speak the same protocol (kind \(code))")
    }
    guard let payload = reader.next(count: Int(length)) else { return nil }
    start += Frame.headerSize + payload.count
    return Frame(kind: kind, job: job, payload: payload)
  }
}

/// Appends little-endian integers and counted strings.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += Array(text.utf8)
  }

  mutating func append(_ texts: [String]) {
    append(UInt32(texts.count))
    for text in texts { append(text) }
  }
}

/// Reads what `ByteWriter` wrote; nil when the bytes end early.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = Value.bitWidth / 8
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size).enumerated().reduce(Value(0)) { value, item in
      value | Value(truncatingIfNeeded: item.element) << Value(truncatingIfNeeded: 8 * item.offset)
    }
  }

  mutating func next(count: Int) -> [UInt8]? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func nextText() -> String? {
    guard let length = next(UInt32.self), let bytes = next(count: Int(length)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func nextTexts() -> [String]? {
    guard let count = next(UInt32.self), count <= rest.count else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = nextText() else { return nil }
      texts.append(text)
    }
    return texts
  }

  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}

/// What the agent is to start.
struct GuestCommand: Sendable, Equatable {
  var arguments: [String]
  /// NAME=value, over the agent's own few.
  var environment: [String] = []
  var directory = "/"

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(arguments)
    writer.append(environment)
    writer.append(directory)
    return writer.bytes
  }

  init(arguments: [String], environment: [String] = [], directory: String = "/") {
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  init?(parsing bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let arguments = reader.nextTexts(), let environment = reader.nextTexts(), let directory = reader.nextText()
    else { return nil }
    self.init(arguments: arguments, environment: environment, directory: directory)
  }
}

/// How a job ended.
enum GuestOutcome: Sendable, Equatable {
  case ended(ExitStatus)
  /// The agent could not do it; the reason.
  case refused(String)

  var encoded: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .ended(.exited(let code)):
      writer.append(UInt8(0))
      writer.append(code)
    case .ended(.signalled(let number)):
      writer.append(UInt8(1))
      writer.append(number)
    case .refused(let reason):
      writer.append(UInt8(2))
      writer.append(reason)
    }
    return writer.bytes
  }

  init?(parsing bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    switch reader.next(UInt8.self) {
    case 0:
      guard let code = reader.next(Int32.self) else { return nil }
      self = .ended(.exited(code))
    case 1:
      guard let number = reader.next(Int32.self) else { return nil }
      self = .ended(.signalled(number))
    case 2:
      guard let reason = reader.nextText() else { return nil }
      self = .refused(reason)
    default: return nil
    }
  }
}
