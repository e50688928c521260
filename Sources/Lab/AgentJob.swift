import CLinux
import Glibc

/// One thing that the agent does for a host: a program that runs, a file that comes, a file that goes.
final class AgentJob {
  let number: UInt32
  let port: AgentPort
  /// The program; nil for a file.
  private(set) var pid: pid_t?
  private(set) var input: Descriptor?
  private(set) var output: Descriptor?
  private(set) var errors: Descriptor?
  /// Input that the program has not taken yet.
  private var waiting: [UInt8] = []
  private var inputHasEnded = false

  /// Starts a program in a session of its own, with pipes for its three streams.
  init(number: UInt32, port: AgentPort, command: GuestCommand) throws(LabError) {
    self.number = number
    self.port = port
    let (input, output, errors) = (try makePipe(), try makePipe(), try makePipe())
    var spawn = Spawn(arguments: command.arguments, environment: AgentJob.environment + command.environment)
    spawn.directory = command.directory
    spawn.descriptors = [(input.read.number, 0), (output.write.number, 1), (errors.write.number, 2)]
    spawn.newSession = true
    pid = try spawn.start()
    self.input = input.write
    self.output = output.read
    self.errors = errors.read
    for descriptor in [input.write, output.read, errors.read] { descriptor.setNonBlocking() }
  }

  /// Opens a file to be written by the input that follows. Not by way of a temporary file: the files of debugfs and
  /// sysfs must be written in place, each frame with one write(2).
  init(number: UInt32, port: AgentPort, writing path: String, mode: mode_t) throws(LabError) {
    self.number = number
    self.port = port
    let directory = Files.parentDirectory(path)
    if !Files.exists(directory) { try Files.makeDirectory(directory) }
    input = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    if let input { fchmod(input.number, mode) }
  }

  /// Opens a file whose content is to be sent as output.
  init(number: UInt32, port: AgentPort, reading path: String) throws(LabError) {
    self.number = number
    self.port = port
    output = try Descriptor.open(path, O_RDONLY)
  }

  /// What a program finds in its environment unless the host says otherwise.
  static let environment = [
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "USER=root", "LANG=C.UTF-8",
    "TERM=linux",
  ]

  /// The input to wait for with POLLOUT: only while something waits for it.
  var blockedInput: Descriptor? { waiting.isEmpty ? nil : input }

  /// Takes input; nil while all is well, else why the file could not be written.
  func take(_ bytes: [UInt8]) -> LabError? {
    guard let input else { return nil }
    if pid == nil {
      guard input.write(bytes[...]) == bytes.count else { return LabError.system("write the file") }
      return nil
    }
    waiting += bytes
    feed()
    return nil
  }

  /// No more input comes.
  func endInput() {
    inputHasEnded = true
    feed()
  }

  /// Gives the program what it takes now. One that has closed its input loses the rest.
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
    if inputHasEnded { input = nil }
  }

  /// Sends what one of the streams has; false when nothing is there now or any more.
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

  /// The program has ended: sends what is left in its pipes, then how it ended. Not until the end of the pipes, which
  /// a daemon that it left behind may hold open, and never more than they can hold at the moment.
  func finish(_ status: ExitStatus) {
    for kind in [Frame.Kind.output, .errorOutput] {
      for _ in 0..<64 where !forward(kind) { break }
    }
    send(.ended(status))
  }

  func send(_ outcome: GuestOutcome) {
    port.send(Frame(kind: .end, job: number, payload: outcome.encoded))
  }

  /// Signals the program's process group.
  func signal(_ number: Int32) {
    if let pid { kill(-pid, number) }
  }
}
