import JSON
import Glibc
import Synchronization

/// A client of the QEMU Machine Protocol: commands and replies as JSON lines, interleaved with events (QEMU's
/// docs/interop/qmp-spec).
final class QMPClient: Sendable {
  private let socket: Descriptor
  private let state: Mutex<State>

  private struct State: Sendable {
    var lines = LineBuffer()
    var events: [JSONValue] = []
  }

  /// Connects, reads the greeting and completes the capability negotiation.
  ///
  /// QEMU serves one client at a time, so this waits until the previous one has disconnected.
  init(path: String, within: Duration) throws(LabError) {
    socket = try UnixSocket.connect(to: path)
    socket.setNonBlocking()
    state = Mutex(State())
    let deadline = Deadline(in: within)
    try state.withLock { (state) throws(LabError) in
      let greeting = try next(&state, until: deadline, waitingFor: "QEMU's greeting")
      guard greeting["QMP"] != nil else {
        throw LabError(.refused, "QMP sent the invalid greeting \(greeting.encoded)")
      }
    }
    try execute("qmp_capabilities")
  }

  /// Executes a command and returns its result.
  ///
  /// `descriptor` is passed along, as commands such as getfd require.
  @discardableResult
  func execute(
    _ command: String, _ arguments: [String: JSONValue] = [:], passing descriptor: Int32? = nil,
    within: Duration = .seconds(20)
  ) throws(LabError) -> JSONValue {
    let deadline = Deadline(in: within)
    let line = Array(QMPClient.request(command, arguments).utf8)
    return try state.withLock { (state) throws(LabError) in
      if let descriptor {
        try UnixSocket.send(line, passing: descriptor, over: socket)
      } else {
        try socket.writeAll(line, until: deadline, to: "QMP")
      }
      while true {
        let message = try next(&state, until: deadline, waitingFor: "QEMU's answer to \(command)")
        if let answer = message["return"] { return answer }
        if let error = message["error"] {
          throw LabError(.refused, "QEMU refused \(command): \(error["desc"]?.text ?? "no reason")")
        }
        if message["event"] != nil { state.events.append(message) }
      }
    }
  }

  /// Waits for an event with this name and matching data.
  ///
  /// Events from before this call count as well.
  func waitForEvent(
    _ name: String, within: Duration, where matches: @Sendable (JSONValue) -> Bool
  ) throws(LabError) {
    let deadline = Deadline(in: within)
    try state.withLock { (state) throws(LabError) in
      while true {
        let isWanted = { (event: JSONValue) in event["event"]?.text == name && matches(event["data"] ?? .null) }
        if let index = state.events.firstIndex(where: isWanted) {
          state.events.remove(at: index)
          return
        }
        state.events.append(try next(&state, until: deadline, waitingFor: "QEMU's event \(name)"))
      }
    }
  }

  /// Waits until QEMU closes the connection at its exit, and returns whether that happened in time.
  func waitForEnd(within: Duration) -> Bool {
    let deadline = Deadline(in: within)
    while socket.waitReady(Int32(POLLIN), until: deadline) {
      switch socket.read() {
      case .end, .failed: return true
      case .bytes, .wouldBlock: continue
      }
    }
    return false
  }

  /// Returns the JSON line of a command.
  static func request(_ command: String, _ arguments: [String: JSONValue]) -> String {
    var members: [String: JSONValue] = ["execute": .string(command)]
    if !arguments.isEmpty { members["arguments"] = .object(arguments) }
    return String(decoding: JSONValue.object(members).encoded, as: UTF8.self) + "\n"
  }

  private func next(
    _ state: inout State, until deadline: Deadline, waitingFor what: String
  ) throws(LabError) -> JSONValue {
    while true {
      if let line = state.lines.next() {
        guard let message = try? JSONValue(parsing: line) else {
          throw LabError(.refused, "QMP sent a line that is not JSON: \(String(decoding: line, as: UTF8.self))")
        }
        return message
      }
      guard socket.waitReady(Int32(POLLIN), until: deadline) else {
        throw LabError(.timeout, "\(what) did not arrive in time")
      }
      switch socket.read() {
      case .bytes(let bytes): state.lines.append(bytes)
      case .wouldBlock: continue
      case .end: throw LabError(.ended, "QEMU ended while the lab waited for \(what)")
      case .failed(let code): throw LabError.system("read from QMP", code: code)
      }
    }
  }
}

/// A splitter of a byte stream into lines, without their line feeds and preceding carriage returns.
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) {
    bytes += more
  }

  /// Returns the next complete line, or nil until more bytes are appended.
  mutating func next() -> [UInt8]? {
    guard let end = bytes.firstIndex(of: 0x0a) else { return nil }
    var line = Array(bytes[..<end])
    bytes.removeSubrange(...end)
    if line.last == 0x0d { line.removeLast() }
    return line
  }

  /// The bytes after the last line feed.
  var rest: [UInt8] { bytes }
}
