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
    case .sessions: return .json(await service.sessions())
    case .setAsleep(let wish): return .json(try await service.setAsleep(wish))
    case .plug(let monitor): return .json(try await service.plug(monitor), .created)
    case .unplug(let name):
      try await service.unplug(name)
      return .response(Response(.noContent))
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
