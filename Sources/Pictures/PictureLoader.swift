import CLinux
import Glibc
import Synchronization

/// Reads pictures for the whole service, on threads of its own: a disk or a share that does not answer holds up neither a
/// painter nor the service's end.
///
/// Files are read one after the other, and one picture is decoded at a time. A file that has not given its bytes after a
/// second lets the next one begin, at most `LoaderQueue.mostThreads` at once. There is no thread while nothing is loaded.
public final class PictureLoader: Sendable {
  /// How long a painting waits for its pictures.
  public static let patience = Duration.seconds(5)
  private let queue: Mutex<LoaderQueue>
  private let patience: Duration
  private let decoding = Mutex(())
  /// Wakes the thread that watches over the limits.
  private let bell = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))

  /// A loader of the files that a reader allows.
  ///
  /// - Parameter patience: How long callers wait for their answers.
  public init(_ reader: PictureReader = PictureReader(), patience: Duration = PictureLoader.patience) {
    queue = Mutex(LoaderQueue(reader, patience))
    self.patience = patience
  }

  deinit { close(bell) }

  /// Allows other files from now on.
  public func allow(_ folders: PictureFolders) { queue.withLock { $0.allow(folders) } }

  /// Allows one more folder, whatever else is allowed.
  public func allow(folder: String) { queue.withLock { $0.allow(folder: folder) } }

  /// By when the pictures of a painting that begins now are to be there.
  public var deadline: ContinuousClock.Instant { .now.advanced(by: patience) }

  /// Answers requests as far as that is possible until a deadline.
  ///
  /// - Parameters:
  ///   - requests: What is missing, each once.
  ///   - late: Gets each answer that comes after this call has returned, on any thread.
  /// - Returns: The answers that came in time. What is certain without a look at a disk is answered at once.
  public func load(
    _ requests: [PictureRequest], until deadline: ContinuousClock.Instant,
    late: @escaping @Sendable (PictureAnswer) -> Void
  ) async -> [PictureAnswer] {
    let now = ContinuousClock.now
    let folders = queue.withLock { $0.reader.folders }
    let refused = requests.filter { !folders.mayAllow($0.path) }.map { request in
      PictureAnswer(request: request, content: .unreadable(.outside(request.path)))
    }
    let allowed = requests.filter { folders.mayAllow($0.path) }
    if allowed.isEmpty { return refused }
    return await withCheckedContinuation { continuation in
      let batch = LoaderQueue.Batch(
        deadline: deadline, at: now, answers: refused, continuation: continuation, late: late)
      queue.withLock { $0.add(batch, allowed, at: now) }
      watch()
    }
  }

  /// Decodes a whole picture, as one file among the others.
  ///
  /// - Throws: `PictureError`, where a part of it is missing or damaged, or it is too large to be shown.
  public func check(_ bytes: [UInt8]) async throws(PictureError) -> PictureHeader {
    let result = await withCheckedContinuation { continuation in
      queue.withLock { $0.add(.check(bytes) { continuation.resume(returning: $0) }) }
      watch()
    }
    return try result.get()
  }

  // MARK: Threads

  /// Has a thread do what there is to do, now and when a limit has passed.
  private func watch() {
    let isWatched = queue.withLock { queue in
      defer { queue.isWatched = true }
      return queue.isWatched
    }
    if isWatched {
      var one: UInt64 = 1
      unsafe _ = write(bell, &one, MemoryLayout<UInt64>.size)
    } else if !startThread({ self.keepWatch() }) {
      for job in queue.withLock({ $0.removeWaiting() }) { fail(job) }
    }
  }

  private func keepWatch() {
    // Painters go first (nice(2)); the threads for files inherit it.
    _ = nice(5)
    while true {
      let (jobs, pause) = queue.withLock { $0.step(at: .now) }
      for job in jobs where !startThread({ self.perform(job) }) { fail(job) }
      guard let pause else { return }
      var entry = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
      unsafe poll(&entry, 1, CInt(clamping: pause.milliseconds))
      var count: UInt64 = 0
      unsafe _ = read(bell, &count, MemoryLayout<UInt64>.size)
    }
  }

  private func perform(_ job: LoaderQueue.Job) {
    switch job.work {
    case .check(let bytes, let report):
      let result = decoding.withLock { _ in
        Result { () throws(PictureError) in try DecodedPicture.check(bytes) }
      }
      end(job)
      report(result)
    case .request(let request):
      let reader = queue.withLock { $0.reader }
      let answer: PictureAnswer
      switch reader.fetch(request) {
      case .answer(let content): answer = PictureAnswer(request: request, content: content)
      case .bytes(let bytes, let file):
        queue.withLock { $0.beginDecoding(job) }
        answer = decoding.withLock { _ in reader.decode(bytes, file, request) }
      }
      end(job, answer)
    }
  }

  /// Ends a job for which there is no thread.
  private func fail(_ job: LoaderQueue.Job) {
    let reason = "the system has no thread for it; see TasksMax of the service's unit"
    switch job.work {
    case .check(_, let report):
      end(job)
      report(.failure(.file("that was uploaded", reason)))
    case .request(let request):
      end(job, PictureAnswer(request: request, content: .unreadable(.file(request.path, reason))))
    }
  }

  private func end(_ job: LoaderQueue.Job, _ answer: PictureAnswer? = nil) {
    let late = queue.withLock { $0.end(job, answer) }
    if let answer { for report in late { report(answer) } }
    // Something may have waited for this thread.
    if queue.withLock({ !$0.isIdle }) { watch() }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
  }
}
