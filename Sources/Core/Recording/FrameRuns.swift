/// Counts frames that go as they should instead of telling each: a clock that ticks for months fills no disk.
///
/// After a modeset the first frames are told. From then on a frame is held until its flip: one that comes soon makes both
/// a count. Whatever else happens has to be written behind what is held, which `taken` gives; but a frame whose call has not
/// returned is held until it has, since its line tells the error: readers go by the lines' times.
struct FrameRuns {
  /// A flip that takes longer is worth a line.
  static let ordinary: Int64 = 250_000_000
  /// How many frames of a modeset are told one by one.
  static let told = 4

  private struct Key: Hashable {
    var card: String
    var crtc: UInt32
  }

  private struct Run {
    var told = 0
    var display = ""
    var count = 0
    var since: Int64 = 0
    var until: Int64 = 0
    var slowest: Int64 = 0
    /// The frame whose flip is due.
    var held: RecordingLine?
    /// Whether the card has answered to it.
    var isAnswered = false

    /// What can be told of it.
    var ready: RecordingLine? { isAnswered ? held : nil }
  }

  private var runs: [Key: Run] = [:]

  /// A CRTC gets a mode: its next frames are told.
  mutating func lit(_ card: String, _ crtc: UInt32) { runs[Key(card: card, crtc: crtc), default: Run()].told = 0 }

  /// Whether a frame's flip is due; it must be told before the next frame is held.
  func isHolding(_ card: String, _ crtc: UInt32) -> Bool { runs[Key(card: card, crtc: crtc)]?.held != nil }

  /// The answer to the frame that is held may never be told: another output has its CRTC.
  mutating func settle(_ card: String, _ crtc: UInt32) { runs[Key(card: card, crtc: crtc)]?.isAnswered = true }

  /// A frame is about to be given to the card; a flip may come before the card's answer.
  mutating func begin(_ line: RecordingLine, _ present: RecordingLine.Present) {
    let key = Key(card: present.card, crtc: present.crtc)
    runs[key, default: Run()].held = line
    runs[key]?.isAnswered = false
    runs[key, default: Run()].told += 1
  }

  /// The card answered. True where the frame is to be told now.
  mutating func answered(_ card: String, _ crtc: UInt32, error: RecordedError?) -> Bool {
    let key = Key(card: card, crtc: crtc)
    guard let run = runs[key], run.held != nil else { return false }
    runs[key]?.held?.present?.error = error
    runs[key]?.isAnswered = true
    return error != nil || run.told <= Self.told
  }

  /// A flip came. True where it is counted, false where it must be told.
  mutating func flipped(_ card: String, _ crtc: UInt32, at time: Int64) -> Bool {
    let key = Key(card: card, crtc: crtc)
    guard var run = runs[key], let held = run.held, let present = held.present, run.told > Self.told,
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

  /// The lines of all that was held and was answered, which is forgotten.
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
      rest.told = run.told
      if run.ready == nil { rest.held = run.held }
      runs[key] = rest
    }
    return lines.sorted { $0.t < $1.t }
  }
}
