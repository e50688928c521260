import Access
import NIOCore

/// The bytes of all answers that clients have not taken yet. Lives on the event loop.
///
/// Where they are too many, the connection that has held an answer for longest is closed, and not the newest refused:
/// clients that read slowly cannot shut out the others.
final class Backlog {
  private var held = 0
  private var holders: [ObjectIdentifier: (connection: HTTPConnection, bytes: Int)] = [:]

  /// Counts bytes that are about to be written to a connection.
  func add(_ count: Int, of connection: HTTPConnection) {
    held += count
    holders[ObjectIdentifier(connection), default: (connection, 0)].bytes += count
  }

  /// Forgets bytes that a connection has taken, or never will. Those of a closed one were forgotten at once.
  func remove(_ count: Int, of connection: HTTPConnection) {
    guard let bytes = holders[ObjectIdentifier(connection)]?.bytes else { return }
    held -= count
    holders[ObjectIdentifier(connection)] = bytes > count ? (connection, bytes - count) : nil
  }

  /// Makes room for the answer of a connection, which stays open.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - most: Most bytes of all answers.
  func makeRoom(for connection: HTTPConnection, most: Int) {
    while held > most, let oldest = oldest(besides: connection) {
      held -= oldest.bytes
      holders[ObjectIdentifier(oldest.connection)] = nil
      oldest.connection.drop(.answers)
    }
  }

  private func oldest(besides connection: HTTPConnection) -> (connection: HTTPConnection, bytes: Int)? {
    holders.values.filter { $0.connection !== connection }
      .min { $0.connection.unsent.began < $1.connection.unsent.began }
  }
}
