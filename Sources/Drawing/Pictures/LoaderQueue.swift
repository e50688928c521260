/// The state of an image loader as a value: the files to read, the waiting callers, and their deadlines.
struct LoaderQueue {
  /// The number of files that may hang before further requests are refused without a try.
  static let mostThreads = 4
  /// The queue limit, more requests than all displays make together.
  static let mostJobs = 4096

  /// One file to read, or one image to decode.
  struct Job: Sendable {
    enum Work: Sendable {
      case request(ImageRequest)
      /// Bytes to decode, and the receiver of the result.
      case check([UInt8], @Sendable (Result<ImageHeader, ImageError>) -> Void)
    }

    let number: Int
    let work: Work
    /// The batches that requested it.
    fileprivate var batches: [Int] = []
    fileprivate var began: ContinuousClock.Instant?
    /// Whether the job can be blocked by a disk or network share.
    fileprivate var isReading = true
    /// Whether a caller's deadline has passed during this job.
    fileprivate var isLate = false

    fileprivate var request: ImageRequest? { if case .request(let request) = work { request } else { nil } }
  }

  /// The requests of one caller.
  struct Batch: Sendable {
    let deadline: ContinuousClock.Instant
    /// How long the caller waits.
    let patience: Duration
    var answers: [ImageResponse]
    /// The caller's continuation; nil after it was resumed.
    var continuation: CheckedContinuation<[ImageResponse], Never>?
    /// The receiver of answers that arrive after that.
    let late: @Sendable (ImageResponse) -> Void
    /// The jobs that the caller waits for.
    fileprivate var awaited: Set<Int> = []
    /// The jobs that are not finished.
    fileprivate var open: Set<Int> = []

    init(
      deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant, answers: [ImageResponse],
      continuation: CheckedContinuation<[ImageResponse], Never>, late: @escaping @Sendable (ImageResponse) -> Void
    ) {
      (self.deadline, self.answers, self.continuation, self.late) = (deadline, answers, continuation, late)
      patience = deadline - now
    }
  }

  private(set) var reader: ImageReader
  /// Whether a thread enforces the deadlines.
  var isWatched = false
  private let patience: Duration
  /// Folders that are always allowed.
  private var ownFolders: [String] = []
  private var waiting: [Job] = []
  private var running: [Job] = []
  private var batches: [Int: Batch] = [:]
  private var number = 0

  init(_ reader: ImageReader, _ patience: Duration) { (self.reader, self.patience) = (reader, patience) }

  /// Whether no job waits for a thread.
  var isIdle: Bool { waiting.isEmpty }

  /// The time that a file may take before the next one starts.
  private var slowness: Duration { patience / 5 }

  private func hangs(_ job: Job, _ now: ContinuousClock.Instant) -> Bool {
    job.isReading && (job.isLate || job.began.map { now - $0 >= patience } ?? false)
  }

  mutating func allow(_ folders: ImageFolders) {
    reader.folders = folders
    for folder in ownFolders { reader.folders.allow(folder) }
  }

  mutating func allow(folder: String) {
    ownFolders.append(folder)
    reader.folders.allow(folder)
  }

  // MARK: Requests

  mutating func add(_ work: Job.Work) {
    number += 1
    var job = Job(number: number, work: work)
    job.isReading = job.request != nil
    waiting.append(job)
  }

  /// Adds the requests of a caller, who is answered immediately if there is nothing to wait for.
  mutating func add(_ batch: Batch, _ requests: [ImageRequest], at now: ContinuousClock.Instant) {
    number += 1
    let id = number
    var batch = batch
    let hanging = running.count { hangs($0, now) }
    for request in requests {
      if let place = running.firstIndex(where: { $0.request == request }) {
        running[place].batches.append(id)
        wait(for: running[place], request, in: &batch, hanging, now)
        continue
      }
      let place = waiting.firstIndex { $0.request == request }
      if place == nil {
        guard waiting.count < Self.mostJobs else {
          batch.answers.append(.stuck(request, hanging))
          continue
        }
        add(.request(request))
      }
      let job = place ?? waiting.count - 1
      waiting[job].batches.append(id)
      wait(for: waiting[job], request, in: &batch, hanging, now)
    }
    settle(&batch)
    keep(batch, id)
  }

  private mutating func keep(_ batch: Batch, _ id: Int) {
    batches[id] = batch.open.isEmpty && batch.continuation == nil ? nil : batch
  }

  /// Makes a caller wait for a job, unless the job is blocked by files that hang.
  private func wait(
    for job: Job, _ request: ImageRequest, in batch: inout Batch, _ hanging: Int, _ now: ContinuousClock.Instant
  ) {
    batch.open.insert(job.number)
    if isBlocked(job, now) {
      batch.answers.append(.late(request, patience))
    } else if job.began == nil, hanging >= Self.mostThreads {
      batch.answers.append(.stuck(request, hanging))
    } else {
      batch.awaited.insert(job.number)
    }
  }

  /// Returns whether the job's file already hangs: it is retried only after the first attempt ends.
  private func isBlocked(_ job: Job, _ now: ContinuousClock.Instant) -> Bool {
    guard let path = job.request?.path else { return false }
    return running.contains { $0.request?.path == path && hangs($0, now) }
  }

  /// Resumes the caller with its answers if there is nothing left to wait for.
  private func settle(_ batch: inout Batch) {
    guard batch.awaited.isEmpty, let continuation = batch.continuation else { return }
    batch.continuation = nil
    continuation.resume(returning: batch.answers)
    batch.answers = []
  }

  // MARK: Scheduling

  /// Expires the batches past their deadline and starts the jobs that can run.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The jobs to run, and the time until the next step; nil if the next step needs an event.
  mutating func step(at now: ContinuousClock.Instant) -> (jobs: [Job], pause: Duration?) {
    for (id, batch) in batches where batch.continuation != nil && batch.deadline <= now { expire(id, batch) }
    var jobs: [Job] = []
    while canBegin(at: now), let place = nextPlace(at: now) {
      var job = waiting.remove(at: place)
      job.began = now
      running.append(job)
      jobs.append(job)
    }
    var moments = batches.values.filter { $0.continuation != nil }.map(\.deadline)
    if !waiting.isEmpty, running.count < Self.mostThreads, running.allSatisfy(\.isReading) {
      moments += running.compactMap(\.began).map { $0 + slowness }.filter { $0 > now }
    }
    isWatched = !moments.isEmpty
    return (jobs, moments.min().map { max($0 - now, .zero) })
  }

  /// Returns the next job that can start, with requests of displays before uploads.
  private func nextPlace(at now: ContinuousClock.Instant) -> Int? {
    waiting.firstIndex { $0.request != nil && !isBlocked($0, now) } ?? waiting.firstIndex { $0.request == nil }
  }

  private func canBegin(at now: ContinuousClock.Instant) -> Bool {
    running.count < Self.mostThreads
      && running.allSatisfy { job in job.isReading && job.began.map { now - $0 >= slowness } ?? false }
  }

  private mutating func expire(_ id: Int, _ batch: Batch) {
    var batch = batch
    // A caller that waits for a part of the usual time proves nothing about the disk.
    let isProof = batch.patience > patience / 2
    for job in running + waiting where batch.awaited.contains(job.number) {
      if let request = job.request { batch.answers.append(.late(request, isProof ? patience : batch.patience)) }
    }
    for place in running.indices where isProof && batch.awaited.contains(running[place].number) {
      running[place].isLate = true
    }
    batch.awaited = []
    settle(&batch)
    batches[id] = batch
  }

  /// Marks a job whose file has been read and which is now decoded.
  mutating func beginDecoding(_ job: Job) {
    if let place = running.firstIndex(where: { $0.number == job.number }) { running[place].isReading = false }
  }

  /// Records the result of a job and resumes the callers that have all their answers.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - answer: The answer, or nil for a check.
  /// - Returns: The receivers of the answer that no longer wait for it.
  mutating func end(_ job: Job, _ answer: ImageResponse?) -> [@Sendable (ImageResponse) -> Void] {
    let place = running.firstIndex { $0.number == job.number }
    // Use the current list of batches: more may have requested the same since the job started.
    let askers = place.map { running[$0].batches } ?? job.batches
    if let place { running.remove(at: place) }
    guard let answer else { return [] }
    var late: [@Sendable (ImageResponse) -> Void] = []
    for id in askers {
      guard var batch = batches[id] else { continue }
      batch.open.remove(job.number)
      if batch.continuation == nil || batch.awaited.remove(job.number) == nil {
        late.append(batch.late)
      } else {
        batch.answers.append(answer)
        settle(&batch)
      }
      keep(batch, id)
    }
    return late
  }

  /// Empties the queue and returns its jobs; called if no thread can be started.
  mutating func removeWaiting() -> [Job] {
    defer { waiting = [] }
    isWatched = false
    return waiting
  }
}
