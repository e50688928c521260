import Control
import NIOHTTP1

/// Asks the service for what a request wants.
struct Endpoints: Sendable {
  /// Who carries it out.
  let service: any ControlService

  /// The answer to a request; a refusal is an answer, too.
  func answer(_ request: Request) async -> Answer {
    do throws(Problem) {
      return try await perform(Operation(request))
    } catch {
      return .response(Self.refusal(error, request))
    }
  }

  private func perform(_ operation: Operation) async throws(Problem) -> Answer {
    do throws(ControlError) {
      return try await ask(for: operation)
    } catch {
      throw Problem(error)
    }
  }

  private func ask(for operation: Operation) async throws(ControlError) -> Answer {
    switch operation {
    case .status: return .json(await service.status())
    case .displays: return .json(await service.displays())
    case .display(let name): return .json(try await display(name))
    case .why(let name): return .json(try await service.why(name))
    case .screenshot(let name): return .png(try await service.screenshot(name))
    case .message(let name): return .json(try await service.message(name))
    case .setMessage(let message): return .json(try await service.setMessage(message))
    case .removeMessage(let name): return .json(try await service.removeMessage(name))
    case .events: return .events(await service.events())
    case .setAsleep(let wish): return .json(try await service.setAsleep(wish))
    case .plug(let monitor): return .json(try await service.plug(monitor), .created)
    case .unplug(let name):
      try await service.unplug(name)
      return .nothing
    case .sessions, .open, .move, .close, .scroll, .refresh: return try await askOfSession(operation)
    case .messages, .post, .acknowledge, .withdraw, .history: return try await askOfMessages(operation)
    }
  }

  private func askOfSession(_ operation: Operation) async throws(ControlError) -> Answer {
    switch operation {
    case .open(let scene): return .json(try await service.open(scene))
    case .move(let id, let target): return .json(try await service.move(id, to: target.display))
    case .close(let id):
      try await service.close(id)
      return .nothing
    case .scroll(let id, let place): return .json(try await service.scroll(id, place))
    case .refresh(let id): return .json(try await service.refresh(id))
    default: return .json(await service.sessions())
    }
  }

  private func askOfMessages(_ operation: Operation) async throws(ControlError) -> Answer {
    switch operation {
    case .post(let message): return .json(try await service.post(message))
    case .acknowledge(let id):
      try await service.acknowledge(id)
      return .nothing
    case .withdraw(let id):
      try await service.withdraw(id)
      return .nothing
    case .history(let query, .json): return .json(try await service.history(query))
    case .history(let query, .csv): return .csv(HistoryTable.lines(try await service.history(query)))
    default: return .json(await service.messages())
    }
  }

  private func display(_ name: String) async throws(ControlError) -> DisplayReport {
    let reports = await service.displays()
    if let report = reports.first(where: { $0.name == name }) { return report }
    let names = reports.isEmpty ? "none" : reports.map(\.name).joined(separator: ", ")
    throw ControlError(.notFound, "There is no display \(name); known are: \(names).")
  }

  private static func refusal(_ problem: Problem, _ request: Request) -> Response {
    var response = Response(problem)
    if problem.status == 405, let route = try? Route(target: request.target) {
      response.headers.add(name: "allow", value: route.allow)
    }
    return response
  }
}
