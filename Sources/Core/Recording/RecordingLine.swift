/// One line of a recording, as JSON: when, and what. Exactly one member besides `t` is there.
///
/// A recording is a file of such lines. A header begins a run: the life of one service. A file may hold several runs, since
/// a service that starts again goes on in the same file. A line that is torn, because the service was killed while it was
/// written, is read over. What a reader does not know it passes over, too.
struct RecordingLine: Codable, Hashable, Sendable {
  /// Nanoseconds since the run began, on the monotonic clock.
  var t: Int64
  var header: Header?
  /// A card came, waits or went, or the first look for cards is over.
  var arrival: Arrival?
  /// What the kernel said that made somebody look, in words. Nothing depends on it.
  var hint: String?
  var event: Event?
  var call: Call?
  var answer: Answer?
  var present: Present?
  var frames: Frames?
  var met: Met?
  var state: State?
  var asked: Asked?
  /// Nothing follows in this run, and why.
  var end: String?

  init(t: Int64) { self.t = t }

  /// The newest form of recordings, and the only one that is read.
  static let version = 1
}

extension RecordingLine {
  /// How a run began.
  struct Header: Codable, Hashable, Sendable {
    /// The form of the recording.
    var recording = RecordingLine.version
    /// The service's version.
    var placard: String
    /// The kernel, as uname(2) tells it.
    var kernel: String
    var backend: String
    /// Milliseconds since 1970.
    var began: Int64
    /// CLOCK_MONOTONIC in nanoseconds at `t` 0.
    var monotonic: Int64
    /// Whether serial numbers are replaced.
    var masked: Bool
    /// How long a flip may take, and how long a busy card is left alone, in nanoseconds; nil for as long as usual.
    var patience: [UInt64]?
    var settings: RecordedSettings
  }

  struct Arrival: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case ready, waiting, gone, settled }
    var kind: Kind
    var card: String?
    var reason: String?
  }

  /// What a card told on its own.
  struct Event: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case flipped, changed, masterChanged, lost }
    var card: String
    var kind: Kind
    var crtc: UInt32?
    var sequence: UInt32?
    /// When the flip was, as `t`; nil where the driver does not say.
    var time: Int64?
    /// The connector that changed; nil where the kernel named none.
    var connector: UInt32?
  }

  enum Operation: String, Codable { case probe, allocate, check, apply, close }

  /// A card was asked; an answer of the same number follows, as a rule.
  struct Call: Codable, Hashable, Sendable {
    var n: Int
    var card: String
    var op: Operation
    var size: [Int]?
    var plan: Plan?
    /// The connectors to probe; nil for all.
    var connectors: [UInt32]?
  }

  struct Plan: Codable, Hashable, Sendable {
    struct Output: Codable, Hashable, Sendable {
      var display: String
      var crtc: UInt32
      /// `1920x1080@60`; nil where it is put to sleep.
      var mode: String?
    }
    var lit: [Output]?
    var dark: [UInt32]?
    var asleep: [Output]?
  }

  struct Answer: Codable, Hashable, Sendable {
    var n: Int
    var snapshot: RecordedSnapshot?
    var format: String?
    var error: RecordedError?
  }

  /// A frame was given to a card, which answers at once.
  struct Present: Codable, Hashable, Sendable {
    var card: String
    var display: String
    var crtc: UInt32
    /// Left, top, width and height of what changed; nil for all.
    var damage: [[Int]]?
    var error: RecordedError?
  }

  /// Frames that went as they should: each taken at once, its flip soon after. They are counted, not told one by one.
  struct Frames: Codable, Hashable, Sendable {
    var card: String
    var display: String
    var count: Int
    /// When the first was given, as `t`.
    var since: Int64
    /// The longest time from a frame to its flip, in nanoseconds.
    var slowest: Int64
  }

  /// A monitor came, with what the settings and what was kept make of it.
  struct Met: Codable, Hashable, Sendable {
    var display: String
    /// Its identity, of the EDID as it is recorded.
    var monitor: String
    var place: String
    var role: String
    var policy: String
    var rotation: Int
    /// It was sent to sleep before.
    var asleep: Bool
    /// What was chosen by remote control before.
    var chosenMode: String?
    var chosenRotation: Int?
  }

  /// What became of a display.
  struct State: Codable, Hashable, Sendable {
    var display: String
    var state: String
    var reason: String?
  }

  /// What somebody asked for that modes and sleep depend on.
  struct Asked: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case sleep, wake, controllerSleeps, controllerWakes, mode, confirm, reset, settings }
    var kind: Kind
    var display: String?
    var mode: String?
    var rotation: Int?
    var keep: Bool?
    var settings: RecordedSettings?
  }
}
