import Control
import NIOCore
import NIOHTTP1
import Synchronization

/// Remembers what was answered to requests that carry an `Idempotency-Key`, so that one that is sent again, since its
/// answer was lost on the way, is not carried out again.
///
/// A request that was refused did nothing: its key is forgotten, and it may be sent again. Nothing here is periodic: what
/// is too old goes when the next request comes.
final class OnceOnly: Sendable {
  /// Most keys that are remembered; the oldest go.
  static let keys = 256
  /// Most bytes of answers that are remembered.
  static let bytes = 8 << 20
  /// How long a key is remembered.
  static let life = TimeAmount.hours(24)

  private struct Entry {
    let key: String
    /// Tells requests apart that share a key; no proof against one who looks for two of one number.
    let fingerprint: Int
    let began: NIODeadline
    let task: Task<Answer, Never>
    /// What its answer takes; 0 while it is under way.
    var bytes = 0
  }

  /// The oldest first.
  private let entries = Mutex<[Entry]>([])
  private let executor: any TaskExecutor

  /// - Parameter executor: Where requests with a key are carried out, also when their client has gone.
  init(on executor: any TaskExecutor) { self.executor = executor }

  /// The answer to a request, which is carried out unless one with the same key was, or is under way. The problem says
  /// that the key was used for another request.
  func answer(
    _ request: Request, key: String, now: NIODeadline, perform: @escaping @Sendable () async -> Answer
  ) async throws(Problem) -> Answer {
    let fingerprint = Self.fingerprint(of: request)
    let found = entries.withLock { entries in
      entries.removeAll { now - $0.began > Self.life }
      if let known = entries.first(where: { $0.key == key }) { return known }
      let task = Task(executorPreference: executor) {
        let answer = await perform()
        self.settle(key, fingerprint, answer)
        return answer
      }
      let entry = Entry(key: key, fingerprint: fingerprint, began: now, task: task)
      entries.append(entry)
      if entries.count > Self.keys { entries.removeFirst() }
      return entry
    }
    guard found.fingerprint == fingerprint else { throw .otherRequest(key) }
    return await found.task.value
  }

  private func settle(_ key: String, _ fingerprint: Int, _ answer: Answer) {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.key == key && $0.fingerprint == fingerprint }) else { return }
      guard case .response(let response) = answer, response.status.code < 300 else {
        entries.remove(at: place)
        return
      }
      entries[place].bytes = response.body.count
      var held = entries.reduce(0) { $0 + $1.bytes }
      while held > Self.bytes, let oldest = entries.first {
        held -= oldest.bytes
        entries.removeFirst()
      }
    }
  }

  private static func fingerprint(of request: Request) -> Int {
    var hasher = Hasher()
    hasher.combine(request.method)
    hasher.combine(request.target)
    hasher.combine(request.body.bytes)
    return hasher.finalize()
  }

  /// The key of a request; nil where it has none.
  static func key(of request: Request) throws(Problem) -> String? {
    let lines = request.headers["Idempotency-Key"]
    guard let key = lines.first else { return nil }
    guard lines.count == 1, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw .malformed("Idempotency-Key is one line of 1 to 255 ASCII characters that are seen: send a random one.")
    }
    return key
  }
}
