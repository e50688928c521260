import CLinux
import Glibc

/// A job of the agent: a running program, a file being written or read, or a connection to a socket.
final class AgentJob {
  /// The object at the other end of the job's streams.
  enum Target: Equatable {
    case program(pid_t)
    case file
    case connection
  }

  let number: UInt32
  let port: AgentPort
  let target: Target
  private(set) var input: Descriptor?
  private(set) var output: Descriptor?
  private(set) var errors: Descriptor?
  /// Input that the program or socket has not accepted yet.
  private var waiting: [UInt8] = []
  private var inputHasEnded = false

  /// Starts a program in a new session, with pipes for its standard streams.
  init(number: UInt32, port: AgentPort, command: GuestCommand) throws(LabError) {
    self.number = number
    self.port = port
    let (input, output, errors) = (try makePipe(), try makePipe(), try makePipe())
    var spawn = Spawn(arguments: command.arguments, environment: AgentJob.environment + command.environment)
    spawn.directory = command.directory
    spawn.descriptors = [(input.read.number, 0), (output.write.number, 1), (errors.write.number, 2)]
    spawn.newSession = true
    target = .program(try spawn.start())
    self.input = input.write
    self.output = output.read
    self.errors = errors.read
    for descriptor in [input.write, output.read, errors.read] { descriptor.setNonBlocking() }
  }

  /// Opens a file for the input that follows.
  ///
  /// The job does not use a temporary file: debugfs and sysfs require writes in place, and each frame in a single
  /// write(2).
  init(number: UInt32, port: AgentPort, writing path: String, mode: mode_t) throws(LabError) {
    self.number = number
    self.port = port
    target = .file
    let directory = Files.parentDirectory(path)
    if !Files.exists(directory) { try Files.makeDirectory(directory) }
    input = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    if let input { fchmod(input.number, mode) }
  }

  /// Opens a file and sends its content as output.
  init(number: UInt32, port: AgentPort, reading path: String) throws(LabError) {
    self.number = number
    self.port = port
    target = .file
    output = try Descriptor.open(path, O_RDONLY)
  }

  /// Connects to a Unix stream socket of the guest.
  init(number: UInt32, port: AgentPort, connectingTo path: String) throws(LabError) {
    self.number = number
    self.port = port
    target = .connection
    let socket = try UnixSocket.connect(to: path)
    socket.setNonBlocking()
    input = socket
    output = socket
  }

  /// The default environment of programs.
  static let environment = [
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "USER=root", "LANG=C.UTF-8",
    "TERM=linux",
  ]

  /// The input to poll for POLLOUT, or nil if no input is queued.
  var blockedInput: Descriptor? { waiting.isEmpty ? nil : input }

  /// Handles input, and returns an error if the file cannot be written.
  func receiveInput(_ bytes: [UInt8]) -> LabError? {
    guard let input else { return nil }
    if target == .file {
      guard input.write(bytes[...]) == bytes.count else { return LabError.system("write the file") }
      return nil
    }
    waiting += bytes
    feed()
    return nil
  }

  /// Handles the end of the input.
  func endInput() {
    inputHasEnded = true
    feed()
  }

  /// Writes as much queued input as the program or socket accepts.
  ///
  /// A program that has closed its input loses the rest.
  func feed() {
    while !waiting.isEmpty, let input {
      guard let taken = input.write(waiting.prefix(65536)[...]) else {
        waiting = []
        self.input = nil
        return
      }
      if taken == 0 { return }
      waiting.removeFirst(taken)
    }
    guard inputHasEnded, let ended = input else { return }
    if target == .connection { shutdown(ended.number, Int32(SHUT_WR)) }
    input = nil
  }

  /// Sends available output of one stream, and returns whether there was any.
  @discardableResult
  func forward(_ kind: Frame.Kind) -> Bool {
    guard let stream = kind == .output ? output : errors else { return false }
    switch stream.read(Frame.maximumPayload) {
    case .bytes(let bytes):
      port.send(Frame(kind: kind, job: number, payload: bytes))
      return true
    case .wouldBlock: return false
    case .end, .failed:
      if kind == .output { output = nil } else { errors = nil }
      return false
    }
  }

  /// Handles the exit of the program: sends the rest of its output and then its exit status.
  ///
  /// It does not wait for the end of the pipes, because a daemon that the program left behind may hold them open. At
  /// most 64 reads per pipe are made, which exceeds a pipe's capacity.
  func finish(_ status: ExitStatus) {
    for kind in [Frame.Kind.output, .errorOutput] {
      for _ in 0..<64 where !forward(kind) { break }
    }
    send(.ended(status))
  }

  func send(_ outcome: GuestOutcome) {
    port.send(Frame(kind: .end, job: number, payload: outcome.encoded))
  }

  /// Sends a signal to the program's process group.
  func signal(_ number: Int32) {
    if case .program(let pid) = target { kill(-pid, number) }
  }
}
