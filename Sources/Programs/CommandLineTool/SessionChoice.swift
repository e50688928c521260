import Control
import ControlClient

/// A session on the command line, selected by its ID or by its display.
struct SessionChoice: Hashable, Sendable {
  /// The session's ID or the display's name.
  let text: String

  /// Returns the session's ID.
  func id(_ service: ServiceOptions) async throws(Failure) -> Int {
    if let id = Int(text) { return id }
    if let id = try await report(service).id { return id }
    throw Failure(.refused, none)
  }

  /// Returns the session's report.
  func report(_ service: ServiceOptions) async throws(Failure) -> SessionReport {
    let all = try await service.ask { client throws(ClientError) in try await client.sessions() }
    let id = Int(text)
    if let report = all.first(where: { id == nil ? $0.display == text : $0.id == id }) { return report }
    if let id { throw Failure(.refused, ControlError.unknownSession(id).message) }
    let displays = try await service.ask { client throws(ClientError) in try await client.displays().map(\.name) }
    guard displays.contains(text) else {
      throw Failure(.refused, ControlError.unknownDisplay(text, known: displays).message)
    }
    throw Failure(.refused, none)
  }

  /// The error message for a display without a session.
  var none: String { "\(text) has no session; `placard open FILE \(text)` opens one" }
}
