import Control
import NIOCore
import NIOHTTP1
import Synchronization

/// The idempotency cache, which prevents a request from being carried out again when its client repeats it.
///
/// It stores the answers to requests with an `Idempotency-Key`, which a client sends again if the answer was lost. A
/// refused request had no effect, so that its key is removed and it can be sent again. There is no timer: expired
/// entries are removed when the next request arrives.
final class IdempotencyCache: Sendable {
  /// The maximum number of keys; the oldest are removed first.
  static let keys = 256
  /// The maximum size of all stored answers, in bytes.
  static let bytes = 8 << 20
  /// The time for which a key is stored.
  static let life = TimeAmount.hours(24)

  private struct Entry {
    let key: String
    /// The hash that tells apart requests with the same key; it is not collision-resistant against an attacker.
    let fingerprint: Int
    let began: NIODeadline
    let task: Task<Answer, Never>
    /// The size of the answer's body in bytes; 0 while the request is in progress.
    var bytes = 0
  }

  /// The entries, oldest first.
  private let entries = Mutex<[Entry]>([])
  private let executor: any TaskExecutor

  /// Creates an empty cache.
  ///
  /// - Parameter executor: The executor of requests with a key, which continue after their client has disconnected.
  init(on executor: any TaskExecutor) { self.executor = executor }

  /// Returns the answer to a request, which is carried out only if its key is new.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - key: The value of its `Idempotency-Key`.
  ///   - now: The current time.
  ///   - perform: Carries out the request.
  /// - Throws: A 422 problem if the key was used for a different request.
  /// - Returns: The answer, which may be that of an earlier request with the same key.
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

  /// Returns the key of a request, or nil if it has none.
  static func key(of request: Request) throws(Problem) -> String? {
    let lines = request.headers["Idempotency-Key"]
    guard let key = lines.first else { return nil }
    guard lines.count == 1, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw .malformed("Idempotency-Key must be one line of 1 to 255 visible ASCII characters: send a random one.")
    }
    return key
  }
}
