/// A protocol message between the host and the guest's agent, over a virtio-serial port.
///
/// On the wire, it consists of the kind (1 byte), the job (4), the payload's length (4) and the payload, little-endian.
/// Zero bytes between frames are padding. A host process that takes over a port, possibly in the middle of a frame,
/// first sends `resync`, which completes any partial frame, and then `hello`.
struct Frame: Sendable, Equatable {
  /// The kind of a frame.
  ///
  /// Requests of the host are below 32, replies of the agent start at 32.
  enum Kind: UInt8, Sendable {
    /// Ends all jobs that an earlier host process left on the port.
    ///
    /// The payload is a nonce, which `welcome` repeats.
    case hello = 1
    /// Starts a program.
    ///
    /// The payload is a `GuestCommand`.
    case run
    /// Bytes for the job's standard input, or for the file that it writes.
    case input
    /// The end of the input.
    case inputEnd
    /// Signals the job's process group.
    ///
    /// The payload is the signal number.
    case signal
    /// Writes a file.
    ///
    /// The payload is the mode (4 bytes) and the path. The content follows as input.
    case writeFile
    /// Reads a file.
    ///
    /// The payload is the path. The content follows as output.
    case readFile
    /// Subscribes to uevents, starting with those so far (at most the last 20000).
    case uevents
    /// Requests the guest's CLOCK_MONOTONIC.
    case clock
    /// Connects to a Unix stream socket.
    ///
    /// The payload is the path. Both directions follow as input and output. A signal closes the connection.
    case connect

    case welcome = 32
    case output
    case errorOutput
    /// The last frame of a job.
    ///
    /// The payload is a `GuestOutcome`.
    case end
    /// A uevent.
    ///
    /// The payload is the time in nanoseconds of CLOCK_MONOTONIC (8 bytes) and the kernel's unchanged message.
    case uevent
    /// The reply to `clock`.
    ///
    /// The payload is the time in nanoseconds of CLOCK_MONOTONIC (8 bytes).
    case time
  }

  var kind: Kind
  /// The job ID that the host assigned, or 0 for frames without a job.
  var job: UInt32 = 0
  var payload: [UInt8] = []

  /// The maximum length of a payload in bytes.
  static let maximumPayload = 32768
  static let headerSize = 9
  /// Padding that completes any partial frame.
  static let resync = [UInt8](repeating: 0, count: maximumPayload + headerSize)

  /// The frame in wire format.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(kind.rawValue)
    writer.append(job)
    writer.append(UInt32(payload.count))
    return writer.bytes + payload
  }

  /// Splits content into as many frames as needed.
  static func split(_ kind: Kind, job: UInt32, _ content: [UInt8]) -> [Frame] {
    stride(from: 0, to: content.count, by: maximumPayload).map { start in
      Frame(kind: kind, job: job, payload: Array(content[start..<min(start + maximumPayload, content.count)]))
    }
  }
}

/// A parser that splits a byte stream into frames.
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

  /// Returns the next complete frame.
  ///
  /// - Throws: `LabError` if the bytes are not a valid frame. The stream is then unusable.
  /// - Returns: The frame, or nil until more bytes are appended.
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

/// A serializer of little-endian integers and length-prefixed strings.
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

/// A parser for the output of `ByteWriter`.
///
/// Its methods return nil if the bytes end early.
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

/// The description of a program to start.
struct GuestCommand: Sendable, Equatable {
  var arguments: [String]
  /// Variables as NAME=value, which override the agent's defaults.
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

/// The result of a job.
enum GuestOutcome: Sendable, Equatable {
  case ended(ExitStatus)
  /// The agent could not perform the request.
  ///
  /// The value is the reason.
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
