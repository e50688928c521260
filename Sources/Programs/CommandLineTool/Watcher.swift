import Control
import ControlClient
import NIOCore
import NIOPosix

/// A loop that shows a display's frames in a terminal until the user ends it.
///
/// It requests a preview after each event, and once a second for changes without events, such as a ticking clock. An
/// unchanged image is neither encoded nor sent.
struct Watcher {
  private enum LoopEvent: Sendable {
    case terminal(TerminalEvent)
    case update(Result<ServiceEvents.Update, Failure>)
    case preview(Result<Preview, ClientError>)
    case due
  }

  private let client: PlacardClient
  private let terminal: any Terminal
  private let display: String
  private var screen: WatchScreen
  private let terminalEvents: AsyncStream<LoopEvent>
  private let happening: AsyncStream<LoopEvent>.Continuation
  private var timer: Scheduled<Void>?
  /// Whether a preview has been requested and has not arrived.
  private var isAsking = false
  /// Whether something has happened since that request.
  private var isStale = false
  private var isGone = false

  init(client: PlacardClient, terminal: any Terminal, display: String, screen: WatchScreen) {
    (self.client, self.terminal, self.display, self.screen) = (client, terminal, display, screen)
    (terminalEvents, happening) = AsyncStream.makeStream()
  }

  /// Draws until a key (q, Ctrl-C, Ctrl-D) or a signal ends the loop, then restores the terminal.
  mutating func run(asking questions: [UInt8]) async throws(Failure) {
    let typing = Task { [terminal, happening] in
      for await happened in terminal.terminalEvents { happening.yield(.terminal(happened)) }
    }
    let listening = Task { [client, happening] in await Self.listen(client, happening) }
    defer {
      typing.cancel()
      listening.cancel()
      timer?.cancel()
      try? terminal.write(screen.end())
      terminal.close()
    }
    try terminal.write(screen.begin(asking: questions))
    wake(in: questions.isEmpty ? 0 : 300)
    for await happened in terminalEvents {
      if try handle(happened) { return }
    }
  }

  private static func listen(_ client: PlacardClient, _ happening: AsyncStream<LoopEvent>.Continuation) async {
    do throws(Failure) {
      var update = try await ServiceEvents(client)
      while !Task.isCancelled { happening.yield(.update(.success(try await update.next()))) }
    } catch {
      happening.yield(.update(.failure(error)))
    }
  }

  /// Handles an event and returns whether the loop ends.
  private mutating func handle(_ happened: LoopEvent) throws(Failure) -> Bool {
    switch happened {
    case .terminal(let happened): return try handle(happened)
    case .update(let update): try handle(update.get())
    case .preview(let preview): try handle(preview)
    case .due:
      screen.stopAsking()
      ask()
    }
    return false
  }

  private mutating func handle(_ happened: TerminalEvent) throws(Failure) -> Bool {
    switch happened {
    case .ended: return true
    case .resized:
      try terminal.write(screen.resize(terminal.size))
      ask()
    case .input(let bytes):
      let wasReady = screen.isReady
      let keys = screen.receive(bytes)
      if keys.contains(where: { "qQ\u{3}\u{4}".utf8.contains($0) }) { return true }
      if !wasReady && screen.isReady { ask() }
    }
    return false
  }

  private mutating func handle(_ update: ServiceEvents.Update) throws(Failure) {
    isGone = update == .gone
    if case .event(let event) = update, event.kind == .modeChanged, event.display == display {
      screen.remember(mode: event.detail)
    }
    if isGone { try terminal.write(screen.say("The service has stopped. Waiting for it.")) }
    ask()
  }

  private mutating func handle(_ preview: Result<Preview, ClientError>) throws(Failure) {
    isAsking = false
    switch preview {
    case .success(let preview):
      try terminal.write(screen.show(preview) + screen.showUsualStatus())
    case .failure(.refused(let error)):
      try terminal.write(screen.blank() + screen.say(error.message))
    case .failure(let error):
      // If the service is gone, the stream of events reports it.
      if !isGone { try terminal.write(screen.say("\(error)")) }
    }
    // After an event during the request, the next preview follows in 100 ms; otherwise in a second.
    wake(in: isStale ? 100 : 1000)
    isStale = false
  }

  private mutating func ask() {
    guard screen.isReady, !isGone else { return }
    isStale = isAsking
    guard !isAsking else { return }
    isAsking = true
    timer?.cancel()
    Task { [client, display, request = screen.request, happening] in
      do throws(ClientError) {
        happening.yield(.preview(.success(try await client.preview(display, request))))
      } catch {
        happening.yield(.preview(.failure(error)))
      }
    }
  }

  private mutating func wake(in milliseconds: Int64) {
    timer?.cancel()
    timer = MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: .milliseconds(milliseconds)) { [happening] in
      happening.yield(.due)
      return
    }
  }
}
