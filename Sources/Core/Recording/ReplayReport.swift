/// The result of a replay.
package struct ReplayReport: Codable, Hashable, Sendable {
  /// A decision that differs.
  package struct Difference: Codable, Hashable, Sendable {
    /// The time in seconds since the run began.
    package var at: Double
    /// The display's name.
    package var display: String
    /// The recorded decision; nil if there is none.
    package var recorded: String?
    /// The decision of the replay; nil if there is none.
    package var now: String?
  }

  /// The result of one run.
  package struct Run: Codable, Hashable, Sendable {
    /// The version of the service that recorded the run.
    package var version: String
    /// The kernel on which the service ran.
    package var kernel: String
    /// The backend: `kms`, `virtual` or `auto`.
    package var backend: String
    /// The beginning of the run, in milliseconds since 1970.
    package var began: Int64
    /// The length of the run, in seconds.
    package var seconds: Double
    /// The displays that have decisions.
    package var displays: [String]
    /// The number of recorded decisions.
    package var decisions: Int
    /// The differences, by time.
    package var differences: [Difference]
    /// Additional notes for the user, a sentence each.
    package var notes: [String]
  }

  /// The runs, in the order of the file.
  package var runs: [Run]
  /// Whether all decisions are the same.
  package var same: Bool { runs.allSatisfy { $0.differences.isEmpty } }

  private enum Keys: String, CodingKey { case same, runs }

  /// Creates a report.
  ///
  /// - Parameter runs: The runs, in the order of the file.
  package init(runs: [Run]) { self.runs = runs }

  /// Decodes a report.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: `DecodingError` if the runs are missing or invalid.
  package init(from decoder: any Decoder) throws {
    runs = try decoder.container(keyedBy: Keys.self).decode([Run].self, forKey: .runs)
  }

  /// Encodes the runs, and whether all decisions are the same.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: Any error of the encoder.
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

  /// Converts nanoseconds to seconds, rounded down to a millisecond.
  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds / 1_000_000) / 1000 }
}

extension ReplayReport {
  /// The report as text for the user, line by line.
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
  /// The difference as text, such as `at 12.3 s, HDMI-A-1: recorded mode 1920x1080@60, now mode 1280x720@60`.
  package var words: String { "at \(at) s, \(display): recorded \(recorded ?? "nothing"), now \(now ?? "nothing")" }
}
