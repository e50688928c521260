import Access
import NIOCore

/// The unsent bytes of all responses.
///
/// If there are too many, the connection with the oldest unsent response is closed instead of refusing the newest:
/// clients that read slowly cannot lock out others. Confined to the event loop.
final class Backlog {
  private var held = 0
  private var holders: [ObjectIdentifier: (connection: HTTPConnection, bytes: Int)] = [:]

  /// Adds bytes that are about to be written to a connection.
  func add(_ count: Int, of connection: HTTPConnection) {
    held += count
    holders[ObjectIdentifier(connection), default: (connection, 0)].bytes += count
  }

  /// Removes bytes that a connection has sent or will never send; those of a connection closed here are removed
  /// already.
  func remove(_ count: Int, of connection: HTTPConnection) {
    guard let bytes = holders[ObjectIdentifier(connection)]?.bytes else { return }
    held -= count
    holders[ObjectIdentifier(connection)] = bytes > count ? (connection, bytes - count) : nil
  }

  /// Makes room for the response of a connection, which stays open.
  ///
  /// - Parameters:
  ///   - connection: The connection to keep.
  ///   - most: The maximum number of unsent bytes of all responses.
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
