/// A filter that counts regular frames instead of writing a line for each. A clock that ticks for months does not fill
/// the disk.
///
/// The first frames after a modeset are written individually. After that, each frame is held until its flip. If the
/// flip arrives soon, the frame and the flip are only counted.
///
/// Any other line is written after the held frames, which `taken` returns. A frame whose present call has not returned
/// stays held, because its line contains the call's error. It is therefore written late, and readers sort the lines by
/// time.
struct FrameRuns {
  /// The longest regular time from a frame to its flip, in nanoseconds. A slower flip gets a line.
  static let ordinary: Int64 = 250_000_000
  /// The number of frames after a modeset that are written individually.
  static let recorded = 4

  private struct Key: Hashable {
    var card: String
    var crtc: UInt32
  }

  private struct Run {
    var recorded = 0
    var display = ""
    var count = 0
    var since: Int64 = 0
    var until: Int64 = 0
    var slowest: Int64 = 0
    /// The frame whose flip is pending.
    var held: RecordingLine?
    /// Whether the present call of the held frame has returned.
    var isAnswered = false

    /// The held frame, if it can be written.
    var ready: RecordingLine? { isAnswered ? held : nil }
  }

  private var runs: [Key: Run] = [:]

  /// Writes the next frames of a CRTC individually, because it gets a mode.
  mutating func lit(_ card: String, _ crtc: UInt32) { runs[Key(card: card, crtc: crtc), default: Run()].recorded = 0 }

  /// Returns whether a frame's flip is pending. That frame must be written before the next one is held.
  func isHolding(_ card: String, _ crtc: UInt32) -> Bool { runs[Key(card: card, crtc: crtc)]?.held != nil }

  /// Marks the held frame as answered. Its answer may never arrive, because another output uses its CRTC.
  mutating func settle(_ card: String, _ crtc: UInt32) { runs[Key(card: card, crtc: crtc)]?.isAnswered = true }

  /// Holds a frame that is about to be presented. Its flip may arrive before the present call returns.
  mutating func begin(_ line: RecordingLine, _ present: RecordingLine.Present) {
    let key = Key(card: present.card, crtc: present.crtc)
    runs[key, default: Run()].held = line
    runs[key]?.isAnswered = false
    runs[key, default: Run()].recorded += 1
  }

  /// Records the result of a present call. Returns true if the frame must be written now.
  mutating func answered(_ card: String, _ crtc: UInt32, error: RecordedError?) -> Bool {
    let key = Key(card: card, crtc: crtc)
    guard let run = runs[key], run.held != nil else { return false }
    runs[key]?.held?.present?.error = error
    runs[key]?.isAnswered = true
    return error != nil || run.recorded <= Self.recorded
  }

  /// Records a flip. Returns true if it was counted, or false if it must be written.
  mutating func flipped(_ card: String, _ crtc: UInt32, at time: Int64) -> Bool {
    let key = Key(card: card, crtc: crtc)
    guard var run = runs[key], let held = run.held, let present = held.present, run.recorded > Self.recorded,
      time - held.t <= Self.ordinary
    else { return false }
    run.held = nil
    run.display = present.display
    if run.count == 0 { run.since = held.t }
    run.count += 1
    run.until = time
    run.slowest = max(run.slowest, time - held.t)
    runs[key] = run
    return true
  }

  /// Removes and returns the lines of all counted frames and of the held frames that were answered.
  mutating func taken() -> [RecordingLine] {
    var lines: [RecordingLine] = []
    for (key, run) in runs where run.count > 0 || run.ready != nil {
      if run.count > 0 {
        var line = RecordingLine(t: run.until)
        line.frames = .init(
          card: key.card, display: run.display, count: run.count, since: run.since, slowest: run.slowest)
        lines.append(line)
      }
      if let ready = run.ready { lines.append(ready) }
      var rest = Run()
      rest.recorded = run.recorded
      if run.ready == nil { rest.held = run.held }
      runs[key] = rest
    }
    return lines.sorted { $0.t < $1.t }
  }
}
