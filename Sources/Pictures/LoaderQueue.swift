/// What a loader has to do, as a value: which file is read next, who waits for what, and how long.
struct LoaderQueue {
  /// So many files may hang before pictures are refused without a try.
  static let mostThreads = 4
  /// More requests than all displays have together.
  static let mostJobs = 4096

  /// One file that is read, or one picture that is decoded.
  struct Job: Sendable {
    enum Work: Sendable {
      case request(PictureRequest)
      /// Bytes to be decoded, and who hears what they are.
      case check([UInt8], @Sendable (Result<PictureHeader, PictureError>) -> Void)
    }

    let number: Int
    let work: Work
    /// Who asked for it.
    fileprivate var batches: [Int] = []
    fileprivate var began: ContinuousClock.Instant?
    /// Whether it may wait for a disk.
    fileprivate var isReading = true
    /// Whether a caller stopped waiting for it.
    fileprivate var isLate = false

    fileprivate var request: PictureRequest? { if case .request(let request) = work { request } else { nil } }
  }

  /// The requests of one caller.
  struct Batch: Sendable {
    let deadline: ContinuousClock.Instant
    /// How long the caller waits.
    let patience: Duration
    var answers: [PictureAnswer]
    /// Nil after the caller has its answers.
    var continuation: CheckedContinuation<[PictureAnswer], Never>?
    /// Hears of answers after that.
    let late: @Sendable (PictureAnswer) -> Void
    /// The jobs that it waits for.
    fileprivate var awaited: Set<Int> = []
    /// The jobs that are not done.
    fileprivate var open: Set<Int> = []

    init(
      deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant, answers: [PictureAnswer],
      continuation: CheckedContinuation<[PictureAnswer], Never>, late: @escaping @Sendable (PictureAnswer) -> Void
    ) {
      (self.deadline, self.answers, self.continuation, self.late) = (deadline, answers, continuation, late)
      patience = deadline - now
    }
  }

  private(set) var reader: PictureReader
  /// Whether a thread looks after the limits.
  var isWatched = false
  private let patience: Duration
  /// Folders that are allowed whatever else is.
  private var ownFolders: [String] = []
  private var waiting: [Job] = []
  private var running: [Job] = []
  private var batches: [Int: Batch] = [:]
  private var number = 0

  init(_ reader: PictureReader, _ patience: Duration) { (self.reader, self.patience) = (reader, patience) }

  /// Whether nothing waits for a thread.
  var isIdle: Bool { waiting.isEmpty }

  /// How long a file is waited for before the next one begins.
  private var slowness: Duration { patience / 5 }

  private func hangs(_ job: Job, _ now: ContinuousClock.Instant) -> Bool {
    job.isReading && (job.isLate || job.began.map { now - $0 >= patience } ?? false)
  }

  mutating func allow(_ folders: PictureFolders) {
    reader.folders = folders
    for folder in ownFolders { reader.folders.allow(folder) }
  }

  mutating func allow(folder: String) {
    ownFolders.append(folder)
    reader.folders.allow(folder)
  }

  // MARK: Asking

  mutating func add(_ work: Job.Work) {
    number += 1
    var job = Job(number: number, work: work)
    job.isReading = job.request != nil
    waiting.append(job)
  }

  /// Adds the requests of a caller, who gets its answers at once where there is nothing to wait for.
  mutating func add(_ batch: Batch, _ requests: [PictureRequest], at now: ContinuousClock.Instant) {
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

  /// Has a caller wait for a job, unless that waits for files that hang.
  private func wait(
    for job: Job, _ request: PictureRequest, in batch: inout Batch, _ hanging: Int, _ now: ContinuousClock.Instant
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

  /// Whether a file hangs already: it is tried again when the first try has come to its end.
  private func isBlocked(_ job: Job, _ now: ContinuousClock.Instant) -> Bool {
    guard let path = job.request?.path else { return false }
    return running.contains { $0.request?.path == path && hangs($0, now) }
  }

  /// Gives the caller its answers where there is nothing left to wait for.
  private func settle(_ batch: inout Batch) {
    guard batch.awaited.isEmpty, let continuation = batch.continuation else { return }
    batch.continuation = nil
    continuation.resume(returning: batch.answers)
    batch.answers = []
  }

  // MARK: Doing

  /// Ends what has waited for too long, and begins what can be begun.
  ///
  /// - Returns: What is to be done now, and how long there is nothing else to do; nil for until something happens.
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

  /// What displays show comes before what was uploaded.
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

  /// The file of a job gave its bytes.
  mutating func beginDecoding(_ job: Job) {
    if let place = running.firstIndex(where: { $0.number == job.number }) { running[place].isReading = false }
  }

  /// Takes in what became of a job.
  ///
  /// - Returns: Those who are to hear of the answer though it is late.
  mutating func end(_ job: Job, _ answer: PictureAnswer?) -> [@Sendable (PictureAnswer) -> Void] {
    let place = running.firstIndex { $0.number == job.number }
    // Others may have asked for the same since the job began.
    let askers = place.map { running[$0].batches } ?? job.batches
    if let place { running.remove(at: place) }
    guard let answer else { return [] }
    var late: [@Sendable (PictureAnswer) -> Void] = []
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

  /// Empties the queue, where there is no thread to work on it.
  mutating func removeWaiting() -> [Job] {
    defer { waiting = [] }
    isWatched = false
    return waiting
  }
}
