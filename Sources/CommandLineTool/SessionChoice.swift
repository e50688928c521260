import Control
import ControlClient

/// A session as a command line names it: by its id, or by the display that it is on.
struct SessionChoice: Hashable, Sendable {
  /// The id or the display's name.
  let text: String

  /// Its id.
  func id(_ service: ServiceOptions) async throws(Failure) -> Int {
    if let id = Int(text) { return id }
    if let id = try await report(service).id { return id }
    throw Failure(.refused, none)
  }

  /// All that is known of it.
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

  /// Why a command on a display's session is refused if the display has none.
  var none: String { "\(text) has no session; `placard open FILE \(text)` opens one" }
}
