import Control
import ControlClient
import NIOCore
import NIOPosix

/// What happens at the service, also over its restarts. For one consumer.
struct ServiceNews {
  /// Something to tell.
  enum News: Hashable, Sendable {
    /// Something happened there.
    case event(ControlEvent)
    /// Events are lost, or it was started anew.
    case torn
    /// It is gone; it is looked for until it is back.
    case gone
    /// It is there again.
    case back
  }

  private let client: PlacardClient
  private var notices: EventNotices.Iterator?
  private var place: EventPlace?
  private var pause = shortest

  private static let shortest: Int64 = 20
  private static let longest: Int64 = 1000

  /// From now on; a service that is not there at first is a failure.
  init(_ client: PlacardClient) async throws(Failure) {
    self.client = client
    do throws(ClientError) {
      notices = try await client.notices().makeAsyncIterator()
    } catch {
      throw Failure(error)
    }
  }

  /// What is new, when there is something. Fails where the service is back and does not want us.
  mutating func next() async throws(Failure) -> News {
    while var reader = notices {
      let notice = try? await reader.next()
      notices = notice == nil ? nil : reader
      switch notice {
      case .event(let event, let place):
        self.place = place ?? self.place
        return .event(event)
      case .torn: return .torn
      case nil: return .gone
      }
    }
    return try await findAgain()
  }

  private mutating func findAgain() async throws(Failure) -> News {
    while true {
      await Pause.wait(milliseconds: pause)
      do throws(ClientError) {
        notices = try await client.notices(after: place).makeAsyncIterator()
        pause = Self.shortest
        return .back
      } catch {
        switch error {
        case .noService, .unreachable, .noAnswer, .queueFull, .protocolError: pause = min(2 * pause, Self.longest)
        case .notPermitted, .badAddress, .wantsToken, .refused: throw Failure(error)
        }
      }
    }
  }
}

/// Waiting on an event loop's timer.
enum Pause {
  /// Returns after so many milliseconds.
  static func wait(milliseconds: Int64) async {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    try? await loop.scheduleTask(in: .milliseconds(milliseconds)) {}.futureResult.get()
  }
}
