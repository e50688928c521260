/// One line of a recording, as JSON: a time and exactly one other member.
///
/// A recording is a file of such lines. A header begins a run, which is the life of one service process. A file can
/// hold several runs, because a restarted service appends to the same file. Readers skip an incomplete line, which is
/// left if the service is killed during a write. They also ignore unknown members.
struct RecordingLine: Codable, Hashable, Sendable {
  /// The time in nanoseconds since the run began, on the monotonic clock.
  var t: Int64
  var header: Header?
  /// A card that is ready, waits or is gone, or the end of the first scan for cards.
  var arrival: Arrival?
  /// A description of a kernel event that caused a probe. Nothing depends on it.
  var hint: String?
  var event: Event?
  var call: Call?
  var answer: Answer?
  var present: Present?
  var frames: Frames?
  var met: Met?
  var state: State?
  var asked: Asked?
  /// The reason that the run ends. No line of the run follows.
  var end: String?

  init(t: Int64) { self.t = t }

  /// The newest format version of recordings, and the only one that can be read.
  static let version = 1
}

extension RecordingLine {
  /// The initial data of a run.
  struct Header: Codable, Hashable, Sendable {
    /// The format version of the recording.
    var recording = RecordingLine.version
    /// The service's version.
    var placard: String
    /// The kernel, as reported by uname(2).
    var kernel: String
    var backend: String
    /// The wall-clock time, in milliseconds since 1970.
    var began: Int64
    /// CLOCK_MONOTONIC in nanoseconds at `t` 0.
    var monotonic: Int64
    /// Whether serial numbers are replaced.
    var masked: Bool
    /// The timeout for a flip, and the delay before a busy card is tried again, in nanoseconds; nil for the defaults.
    var patience: [UInt64]?
    var settings: RecordedSettings
  }

  struct Arrival: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case ready, waiting, gone, settled }
    var kind: Kind
    var card: String?
    var reason: String?
  }

  /// An event of a card.
  struct Event: Codable, Hashable, Sendable {
    enum Kind: String, Codable { case flipped, changed, masterChanged, lost }
    var card: String
    var kind: Kind
    var crtc: UInt32?
    var sequence: UInt32?
    /// The time of the flip, on the scale of `t`; nil if the driver does not report it.
    var time: Int64?
    /// The number of the modeset whose flip it is; 0 for a frame's, and nil in recordings of older versions.
    var modeset: UInt32?
    /// The connector that changed; nil if the kernel named none.
    var connector: UInt32?
  }

  enum Operation: String, Codable { case probe, allocate, check, apply, close }

  /// A call to a card. Usually an answer with the same number follows.
  struct Call: Codable, Hashable, Sendable {
    var n: Int
    var card: String
    var op: Operation
    var size: [Int]?
    var plan: Plan?
    /// The connectors to probe; nil for all.
    var connectors: [UInt32]?
    /// The number of the plan that enables outputs.
    var modeset: UInt32?
  }

  struct Plan: Codable, Hashable, Sendable {
    struct Output: Codable, Hashable, Sendable {
      var display: String
      var crtc: UInt32
      /// The mode, such as `1920x1080@60`; nil for an output that is put to sleep.
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

  /// A present call, with its result.
  struct Present: Codable, Hashable, Sendable {
    var card: String
    var display: String
    var crtc: UInt32
    /// The left, top, width and height of each changed rectangle; nil for the whole frame.
    var damage: [[Int]]?
    var error: RecordedError?
  }

  /// A number of regular frames: each was accepted at once, and its flip arrived soon. They are only counted.
  struct Frames: Codable, Hashable, Sendable {
    var card: String
    var display: String
    var count: Int
    /// The time at which the first one was presented, on the scale of `t`.
    var since: Int64
    /// The longest time from a frame to its flip, in nanoseconds.
    var slowest: Int64
  }

  /// A new monitor, with the settings and stored choices that apply to it.
  struct Met: Codable, Hashable, Sendable {
    var display: String
    /// The identity of the monitor, derived from the EDID as recorded.
    var monitor: String
    var place: String
    var role: String
    var policy: String
    var rotation: Int
    /// Whether the monitor was put to sleep before.
    var asleep: Bool
    /// The mode that was chosen by remote control before.
    var chosenMode: String?
    var chosenRotation: Int?
  }

  /// The new state of a display.
  struct State: Codable, Hashable, Sendable {
    var display: String
    var state: String
    var reason: String?
  }

  /// A user request that affects modes or sleep.
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
