/// What came of a replay.
package struct ReplayReport: Codable, Hashable, Sendable {
  /// A place where a decision differs.
  package struct Difference: Codable, Hashable, Sendable {
    /// Seconds since the run began.
    package var at: Double
    /// The display's name.
    package var display: String
    /// What was recorded; nil for nothing.
    package var recorded: String?
    /// What is decided now; nil for nothing.
    package var now: String?
  }

  /// What came of one run.
  package struct Run: Codable, Hashable, Sendable {
    /// The service's version that recorded it.
    package var version: String
    /// The kernel below it.
    package var kernel: String
    /// `kms`, `virtual` or `auto`.
    package var backend: String
    /// When it began, in milliseconds since 1970.
    package var began: Int64
    /// How long it was.
    package var seconds: Double
    /// The displays that something was decided for.
    package var displays: [String]
    /// How many decisions were recorded.
    package var decisions: Int
    /// Where they differ, by time.
    package var differences: [Difference]
    /// What else a person should know, a sentence each.
    package var notes: [String]
  }

  /// The runs, in the order of the file.
  package var runs: [Run]
  /// Whether no decision differs.
  package var same: Bool { runs.allSatisfy { $0.differences.isEmpty } }

  private enum Keys: String, CodingKey { case same, runs }

  /// A report of these runs.
  package init(runs: [Run]) { self.runs = runs }

  /// A report that was encoded.
  package init(from decoder: any Decoder) throws {
    runs = try decoder.container(keyedBy: Keys.self).decode([Run].self, forKey: .runs)
  }

  /// The runs, and whether no decision differs.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(same, forKey: .same)
    try container.encode(runs, forKey: .runs)
  }
}

extension ReplayReport.Run {
  init(_ run: RecordedRun, _ differences: [Comparison.Difference], _ notes: [String]) {
    let decisions = Decisions(run).ofDisplays
    self.init(
      version: run.header.placard, kernel: run.header.kernel, backend: run.header.backend, began: run.header.began,
      seconds: Self.seconds(run.length), displays: decisions.keys.sorted(),
      decisions: decisions.values.reduce(0) { $0 + $1.count },
      differences: differences.map {
        ReplayReport.Difference(at: Self.seconds($0.at), display: $0.display, recorded: $0.recorded, now: $0.now)
      }, notes: notes)
  }

  /// To a millisecond.
  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds / 1_000_000) / 1000 }
}

extension ReplayReport {
  /// What people read, a line each.
  package var lines: [String] {
    runs.enumerated().flatMap { index, run in
      let name = runs.count > 1 ? "run \(index + 1): " : ""
      let count = run.differences.count
      let verdict = count == 0 ? "the same" : count == 1 ? "one differs" : "\(count) differ"
      let head =
        "\(name)\(run.seconds) s, Placard \(run.version) on \(run.kernel), "
        + "\(run.displays.count) displays, \(run.decisions) decisions: \(verdict)"
      return [head] + run.differences.map(\.words) + run.notes
    }
  }
}

extension ReplayReport.Difference {
  /// `at 12.3 s, HDMI-A-1: recorded mode 1920x1080@60, now mode 1280x720@60`.
  package var words: String { "at \(at) s, \(display): recorded \(recorded ?? "nothing"), now \(now ?? "nothing")" }
}
