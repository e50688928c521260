import CLinux
import Glibc
import SystemCalls

/// The agent in the guest, which performs the host's requests on a single thread around poll(2).
///
/// As process 1, it also reaps all orphaned processes of the guest.
public final class GuestAgent {
  private var ports: [AgentPort] = []
  private let signals: Descriptor
  private let uevents: Descriptor
  private var jobs: [AgentJob] = []
  private var history: [[UInt8]] = []

  /// Serves the guest's ports indefinitely.
  ///
  /// - Throws: `LabError` if the agent cannot be set up.
  public static func run() throws(LabError) -> Never {
    let agent = try GuestAgent()
    while true { agent.turn() }
  }

  private init() throws(LabError) {
    Glibc.signal(SIGPIPE, SIG_IGN)
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, SIGCHLD)
    unsafe sigaddset(&mask, SIGIO)
    unsafe sigprocmask(SIG_BLOCK, &mask, nil)
    let number = unsafe signalfd(-1, &mask, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw LabError.system("create a signal descriptor") }
    signals = Descriptor(number)
    uevents = try openUeventSocket()
    ports = try AgentPort.openAll { deadline in
      guard uevents.waitReady(Int32(POLLIN), until: deadline) else { return false }
      handleUevents()
      return true
    }
    // posix_spawnp(3) looks up programs in the caller's PATH, not in that of the child.
    if let path = AgentJob.environment.first?.dropFirst(5) { unsafe setenv("PATH", String(path), 1) }
  }

  private enum Source {
    case signals
    case uevents
    case port(AgentPort)
    case output(AgentJob, Frame.Kind)
    case input(AgentJob)
  }

  private func turn() {
    let sources = pollSources()
    var entries = sources.map { pollfd(fd: $0.number, events: Int16($0.events), revents: 0) }
    guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
    for (entry, source) in zip(entries, sources) where entry.revents != 0 {
      handle(source.source, Int32(entry.revents))
    }
  }

  private func pollSources() -> [(number: Int32, events: Int32, source: Source)] {
    var list: [(number: Int32, events: Int32, source: Source)] = [
      (signals.number, POLLIN, .signals), (uevents.number, POLLIN, .uevents),
    ]
    for port in ports where port.isConnected { list.append((port.descriptor.number, port.pollEvents, .port(port))) }
    for job in jobs {
      if let input = job.blockedInput { list.append((input.number, POLLOUT, .input(job))) }
      guard !job.port.isFull else { continue }
      if let output = job.output { list.append((output.number, POLLIN, .output(job, .output))) }
      if let errors = job.errors { list.append((errors.number, POLLIN, .output(job, .errorOutput))) }
    }
    return list
  }

  private func handle(_ source: Source, _ events: Int32) {
    switch source {
    case .signals: handleSignals()
    case .uevents: handleUevents()
    case .port(let port): handle(port, events)
    case .input(let job): job.feed()
    case .output(let job, let kind):
      job.forward(kind)
      // A file has been read to its end, or the peer has closed the connection.
      if job.output == nil, job.target == .file || job.target == .connection { finish(job, .ended(.exited(0))) }
    }
  }

  // MARK: Signals

  private func handleSignals() {
    while case .bytes = signals.read(128 * 16) {}
    for port in ports where !port.isConnected { port.checkConnection() }
    var status: Int32 = 0
    while true {
      let pid = unsafe waitpid(-1, &status, WNOHANG)
      guard pid > 0 else { return }
      guard let index = jobs.firstIndex(where: { $0.target == .program(pid) }) else { continue }
      jobs.remove(at: index).finish(ExitStatus(waitStatus: status))
    }
  }

  // MARK: Uevents

  private func handleUevents() {
    while case .bytes(let message) = uevents.read(16384) {
      var writer = ByteWriter()
      writer.append(SystemClock.monotonicNanoseconds())
      history.append(writer.bytes + message)
      if history.count > 20000 { history.removeFirst(10000) }
      for port in ports where port.wantsUevents { sendUevent(writer.bytes + message, to: port) }
    }
  }

  private func sendUevent(_ payload: [UInt8], to port: AgentPort) {
    port.send(Frame(kind: .uevent, payload: payload))
  }

  // MARK: Requests

  private func handle(_ port: AgentPort, _ events: Int32) {
    if events & POLLHUP != 0 {
      endJobs(of: port)
      port.disconnect()
      port.checkConnection()
      return
    }
    if events & POLLOUT != 0 { port.flush() }
    guard events & POLLIN != 0 else { return }
    do throws(LabError) {
      for frame in try port.receive() { handle(frame, from: port) }
    } catch {
      // The stream is unusable, and the host receives nothing more on this port. Print the reason to the console.
      print("lab agent: \(error)")
      endJobs(of: port)
      port.disconnect()
    }
  }

  private func handle(_ frame: Frame, from port: AgentPort) {
    let job = jobs.first { $0.port === port && $0.number == frame.job }
    switch frame.kind {
    case .hello:
      endJobs(of: port)
      port.wantsUevents = false
      port.send(Frame(kind: .welcome, payload: frame.payload))
    case .run, .writeFile, .readFile, .connect: start(frame, from: port)
    case .input:
      if let job, let error = job.receiveInput(frame.payload) { finish(job, .refused(error.description)) }
    case .inputEnd:
      job?.endInput()
      if let job, job.target == .file { finish(job, .ended(.exited(0))) }
    case .signal:
      var reader = ByteReader(frame.payload[...])
      guard let job, let number = reader.next(Int32.self) else { return }
      if job.target == .connection { finish(job, .ended(.signalled(number))) } else { job.signal(number) }
    case .uevents:
      port.wantsUevents = true
      for payload in history { sendUevent(payload, to: port) }
    case .clock:
      var writer = ByteWriter()
      writer.append(SystemClock.monotonicNanoseconds())
      port.send(Frame(kind: .time, payload: writer.bytes))
    case .welcome, .output, .errorOutput, .end, .uevent, .time: break
    }
  }

  private func start(_ frame: Frame, from port: AgentPort) {
    do throws(LabError) {
      jobs.append(try makeJob(frame, port))
    } catch {
      let outcome = GuestOutcome.refused(error.description)
      port.send(Frame(kind: .end, job: frame.job, payload: outcome.encoded))
    }
  }

  private func makeJob(_ frame: Frame, _ port: AgentPort) throws(LabError) -> AgentJob {
    if frame.kind == .run, let command = GuestCommand(parsing: frame.payload) {
      return try AgentJob(number: frame.job, port: port, command: command)
    }
    var reader = ByteReader(frame.payload[...])
    if frame.kind == .writeFile, let mode = reader.next(UInt32.self) {
      let path = String(decoding: reader.remainder(), as: UTF8.self)
      return try AgentJob(number: frame.job, port: port, writing: path, mode: mode)
    }
    if frame.kind == .readFile {
      return try AgentJob(number: frame.job, port: port, reading: String(decoding: frame.payload, as: UTF8.self))
    }
    if frame.kind == .connect {
      return try AgentJob(number: frame.job, port: port, connectingTo: String(decoding: frame.payload, as: UTF8.self))
    }
    throw LabError(.invalid, "the agent cannot read the request")
  }

  private func finish(_ job: AgentJob, _ outcome: GuestOutcome) {
    jobs.removeAll { $0 === job }
    job.send(outcome)
  }

  private func endJobs(of port: AgentPort) {
    for job in jobs where job.port === port { job.signal(SIGKILL) }
    jobs.removeAll { $0.port === port }
  }
}

/// Opens the netlink socket for the kernel's own uevents (netlink(7), NETLINK_KOBJECT_UEVENT, group 1).
private func openUeventSocket() throws(LabError) -> Descriptor {
  let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  let number = socket(AF_NETLINK, type, NETLINK_KOBJECT_UEVENT)
  guard number >= 0 else { throw LabError.system("open the uevent socket") }
  let descriptor = Descriptor(number)
  var size: Int32 = 8 << 20
  unsafe setsockopt(number, SOL_SOCKET, SO_RCVBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_nl()
  address.nl_family = sa_family_t(AF_NETLINK)
  address.nl_groups = 1
  let code = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
    }
  }
  guard code == 0 else { throw LabError.system("listen for uevents") }
  return descriptor
}
