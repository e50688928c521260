import Control
import ControlClient
import NIOCore
import NIOPosix

/// The service's events across its restarts, for one consumer.
struct ServiceEvents {
  /// An item of the stream.
  enum Update: Hashable, Sendable {
    /// An event of the service.
    case event(ControlEvent)
    /// A gap: events were lost, or the service restarted.
    case gap
    /// The service is gone; the stream tries to reconnect.
    case gone
    /// The service is back.
    case back
  }

  private let client: PlacardClient
  private var notices: EventNotices.Iterator?
  private var place: EventPlace?
  private var pause = shortest

  private static let shortest: Int64 = 20
  private static let longest: Int64 = 1000

  /// Subscribes to new events; throws if the service does not answer.
  init(_ client: PlacardClient) async throws(Failure) {
    self.client = client
    do throws(ClientError) {
      notices = try await client.notices().makeAsyncIterator()
    } catch {
      throw Failure(error)
    }
  }

  /// Waits for the next item.
  ///
  /// - Throws: `Failure` if the service is back but refuses this client.
  /// - Returns: The item.
  mutating func next() async throws(Failure) -> Update {
    while var reader = notices {
      let notice = try? await reader.next()
      notices = notice == nil ? nil : reader
      switch notice {
      case .event(let event, let place):
        self.place = place ?? self.place
        return .event(event)
      case .gap: return .gap
      case nil: return .gone
      }
    }
    return try await findAgain()
  }

  private mutating func findAgain() async throws(Failure) -> Update {
    while true {
      await Pause.wait(milliseconds: pause)
      do throws(ClientError) {
        notices = try await client.notices(after: place).makeAsyncIterator()
        pause = Self.shortest
        return .back
      } catch {
        switch error {
        case .noService, .unreachable, .noAnswer, .queueFull, .protocolError: pause = min(2 * pause, Self.longest)
        case .notPermitted, .badAddress, .tokenRequired, .refused: throw Failure(error)
        }
      }
    }
  }
}

/// A delay that uses an event loop's timer.
enum Pause {
  /// Waits for a number of milliseconds.
  static func wait(milliseconds: Int64) async {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    try? await loop.scheduleTask(in: .milliseconds(milliseconds)) {}.futureResult.get()
  }
}
