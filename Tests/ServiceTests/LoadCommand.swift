import Control
import ControlClient
import Displays
import Geometry
import JSON
@testable import Scenes
@testable import VirtualDisplays

/// A request of a client, and its effect on a session model.
enum LoadCommand: Hashable, Sendable {
  case post(MessageRequest)
  case show(MessageRequest)
  case removeMessage
  case withdraw(Int)
  case acknowledge(Int)
  case open(OpenRequest)
  case move(Int, to: String)
  case close(Int)
  case scroll(Int, Double)
  case sleep(SleepRequest)
  case turn(String, Rotation)
  case plug(LoadMonitor, into: String)
  case unplug(String)

  /// The daemon's answer.
  struct Answer {
    /// The ID of the created or changed message or session.
    var number: Int?
    /// The displays that have shown it.
    var shown: [String] = []
  }

  func send(to client: PlacardClient) async throws(ClientError) -> Answer {
    switch self {
    case .post(let request): return Answer(try await client.post(request))
    case .show(let request): return Answer(try await client.setMessage(request))
    case .removeMessage: try await client.removeMessage()
    case .withdraw(let number): try await client.withdraw(number)
    case .acknowledge(let number): try await client.acknowledge(number)
    case .open(let request): return Answer(number: try await client.open(request).id)
    case .move(let number, let display): try await client.move(number, to: display)
    case .close(let number): try await client.close(number)
    case .scroll(let number, let share): try await client.scroll(number, .position(share))
    case .sleep(let request): _ = try await client.setAsleep(request)
    case .turn(let display, let rotation):
      _ = try await client.setMode(display, ModeRequest(rotation: rotation.rawValue, keep: true))
    case .plug(let monitor, let display):
      let size = monitor.size
      _ = try await client.plug(PlugRequest(display: display, width: size.width, height: size.height))
    case .unplug(let display): try await client.unplug(display)
    }
    return Answer()
  }

  /// Applies the same change to a session model, whose next ID is `number`; `now` counts up.
  func apply(to store: inout SessionModel, number: Int?, at now: Int64) throws {
    if let number { store.last.number = number - 1 }
    switch self {
    case .post(let request), .show(let request):
      let isShow = if case .show = self { true } else { false }
      let target = request.role.map { .role($0.rawValue) } ?? request.tag.map(Message.Target.tag)
      try store.post(
        .banner(request.text ?? ""), to: target ?? .all, name: isShow ? Message.shownName : request.name,
        priority: request.priority ?? 0, needsAcknowledgement: request.acknowledge ?? false, at: now)
    case .removeMessage:
      if let message = store.message(named: Message.shownName) { try store.withdraw(message.id) }
    case .withdraw(let number): try store.withdraw(number)
    case .acknowledge(let number): try store.acknowledge(number, at: now)
    case .open(let request):
      store.open(try Scene(document: request.scene), tag: request.tag, on: request.display, at: now)
    case .move(let number, let display): try store.move(number, to: display, at: now)
    case .close(let number): try store.close(number)
    case .scroll(let number, let share): try store.scroll(number, to: .share(share))
    case .sleep(let request):
      for display in request.display.map({ [$0] }) ?? store.profiles.compactMap(\.display) {
        store.setAsleep(request.asleep, on: display)
      }
      if request.display == nil, !request.asleep { store.wakeAbsent() }
    case .turn(let display, let rotation): store.choose(MonitorChoice(rotation: rotation), on: display)
    case .plug(let monitor, let display): store.attach([monitor.arrival(on: display)], at: now)
    case .unplug(let display): store.detach(display, at: now)
    }
  }
}

extension LoadCommand.Answer {
  fileprivate init(_ report: MessageReport) {
    self.init(number: report.id, shown: report.shown.map(\.display))
  }
}

/// A virtual monitor, identified by its size.
struct LoadMonitor: Hashable, Sendable {
  var size: Size

  /// The monitor that exists when the daemon starts.
  static let first = LoadMonitor(size: Size(1920, 1080))
  static let all = [first] + [Size(800, 600), Size(640, 480), Size(1024, 768)].map(LoadMonitor.init)

  var identity: String {
    MonitorIdentity(edid: VirtualMonitor(size: size, name: "\(size)").edid, connector: "").text
  }

  func arrival(on display: String) -> Arrival { Arrival(display: display, monitor: identity, place: display) }
}
