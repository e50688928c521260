import CLinux
import Glibc
import Synchronization

/// A loader that reads images for the whole daemon on its own threads.
///
/// A disk or network share that does not respond blocks neither the render threads nor the shutdown of the daemon.
/// Files are read one at a time, and one image is decoded at a time. If a file cannot be read within a fifth of the
/// patience, the next one starts, with at most `LoaderQueue.mostThreads` at once. An idle loader has no threads.
package final class ImageLoader: Sendable {
  /// The default time that a layout waits for its images.
  package static let patience = Duration.seconds(5)
  private let queue: Mutex<LoaderQueue>
  private let patience: Duration
  private let decoding = Mutex(())
  /// The eventfd that wakes the thread that enforces the deadlines.
  private let bell = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))

  /// Creates a loader of the files that a reader allows.
  ///
  /// - Parameters:
  ///   - reader: The reader, with its allowed folders.
  ///   - patience: The time that callers wait for their answers.
  package init(_ reader: ImageReader = ImageReader(), patience: Duration = ImageLoader.patience) {
    queue = Mutex(LoaderQueue(reader, patience))
    self.patience = patience
  }

  deinit { close(bell) }

  /// Replaces the allowed files, except for folders added with `allow(folder:)`.
  package func allow(_ folders: ImageFolders) { queue.withLock { $0.allow(folders) } }

  /// Adds a folder that stays allowed whatever else changes.
  package func allow(folder: String) { queue.withLock { $0.allow(folder: folder) } }

  /// The deadline for the images of a layout that starts now.
  package var deadline: ContinuousClock.Instant { .now.advanced(by: patience) }

  /// Loads images until a deadline.
  ///
  /// - Parameters:
  ///   - requests: The missing images, each listed once.
  ///   - deadline: The time at which this call returns at the latest.
  ///   - late: The receiver of each answer that arrives after this call has returned. It is called on any thread.
  /// - Returns: The answers that arrived in time. Paths that are not allowed are answered without disk access.
  package func load(
    _ requests: [ImageRequest], until deadline: ContinuousClock.Instant,
    late: @escaping @Sendable (ImageResponse) -> Void
  ) async -> [ImageResponse] {
    let now = ContinuousClock.now
    let folders = queue.withLock { $0.reader.folders }
    let refused = requests.filter { !folders.mayAllow($0.path) }.map { request in
      ImageResponse(request: request, content: .unreadable(.outside(request.path)))
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

  /// Decodes a whole image to verify it, queued with the other files.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Throws: `ImageError` if a part of the image is missing or damaged, or the image is too large to be shown.
  /// - Returns: The header of the image.
  package func check(_ bytes: [UInt8]) async throws(ImageError) -> ImageHeader {
    let result = await withCheckedContinuation { continuation in
      queue.withLock { $0.add(.check(bytes) { continuation.resume(returning: $0) }) }
      watch()
    }
    return try result.get()
  }

  // MARK: Threads

  /// Makes the watching thread process the queue now, and starts the thread if necessary.
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
    // Render threads have priority (nice(2)). The threads that read files inherit this value.
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
        Result { () throws(ImageError) in try DecodedImage.check(bytes) }
      }
      end(job)
      report(result)
    case .request(let request):
      let reader = queue.withLock { $0.reader }
      let answer: ImageResponse
      switch reader.fetch(request) {
      case .answer(let content): answer = ImageResponse(request: request, content: content)
      case .bytes(let bytes, let file):
        queue.withLock { $0.beginDecoding(job) }
        answer = decoding.withLock { _ in reader.decode(bytes, file, request) }
      }
      end(job, answer)
    }
  }

  /// Ends a job for which no thread could be started.
  private func fail(_ job: LoaderQueue.Job) {
    let reason = "no thread could be started for it; check TasksMax in the service's unit"
    switch job.work {
    case .check(_, let report):
      end(job)
      report(.failure(.file("that was uploaded", reason)))
    case .request(let request):
      end(job, ImageResponse(request: request, content: .unreadable(.file(request.path, reason))))
    }
  }

  private func end(_ job: LoaderQueue.Job, _ answer: ImageResponse? = nil) {
    let late = queue.withLock { $0.end(job, answer) }
    if let answer { for report in late { report(answer) } }
    // Another job may be waiting for this thread.
    if queue.withLock({ !$0.isIdle }) { watch() }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
  }
}
