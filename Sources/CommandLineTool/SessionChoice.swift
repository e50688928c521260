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
    throw Failure(.refused, "\(text) has no session: `placard open FILE \(text)` opens one.")
  }

  /// All that is known of it.
  func report(_ service: ServiceOptions) async throws(Failure) -> SessionReport {
    let all = try await service.ask { client throws(ClientError) in try await client.sessions() }
    let id = Int(text)
    if let report = all.first(where: { id == nil ? $0.display == text : $0.id == id }) { return report }
    let known = all.compactMap { id == nil ? $0.display : $0.id.map(String.init) }
    let list = known.isEmpty ? "there are none" : "there are " + known.joined(separator: ", ")
    throw Failure(.refused, "There is no \(id == nil ? "monitor on the display" : "session") \(text): \(list).")
  }
}
