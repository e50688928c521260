import Displays
import JSON

/// A run of a recording, as read from the file.
struct RecordedRun: Sendable {
  var header: RecordingLine.Header
  /// All lines, in the order of their times.
  var lines: [RecordingLine] = []
  /// The snapshots that probes returned, by the number of the call.
  var snapshots: [Int: CardSnapshot] = [:]
  /// The number of lines that could not be read. Usually it is only one, cut off at the end.
  var unreadable = 0

  /// The time of the last line, in nanoseconds since the run began.
  var length: Int64 { lines.last?.t ?? 0 }
  /// The reason that the run ended; nil if the service was killed.
  var end: String? { lines.last { $0.end != nil }?.end }
}

/// A reader of recordings. It reads or rejects any bytes.
enum RecordingReader {
  /// The maximum length of a recording, in nanoseconds: no time in it is beyond two years.
  private static let longest: Int64 = 2 * 366 * 86_400 * 1_000_000_000

  /// Returns the runs of a file.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Throws: `RecordingError` if the file contains no run, or a run in an unknown format version.
  /// - Returns: The runs, in the order of the file.
  static func runs(of bytes: [UInt8]) throws(RecordingError) -> [RecordedRun] {
    var runs: [RunReader] = []
    for text in bytes.split(separator: 0x0a) {
      guard let line = try? JSON.decode(RecordingLine.self, from: text), (0...longest).contains(line.t) else {
        guard !runs.isEmpty else { continue }
        runs[runs.count - 1].run.unreadable += 1
        continue
      }
      if let header = line.header {
        guard header.recording == RecordingLine.version else {
          throw RecordingError(
            "the recording has form \(header.recording), and this is a Placard that reads form "
              + "\(RecordingLine.version); use the Placard that recorded it")
        }
        runs.append(RunReader(header))
      } else if !runs.isEmpty {
        runs[runs.count - 1].append(line)
      }
    }
    guard !runs.isEmpty else {
      throw RecordingError("there is no recording in it: placardd --record FILE makes one")
    }
    return runs.map { $0.finished() }
  }
}

/// A run that is being read.
private struct RunReader {
  var run: RecordedRun
  /// The card of each call.
  private var cards: [Int: String] = [:]
  /// The last written state of each connector.
  private var last: [String: ConnectorSnapshot] = [:]

  init(_ header: RecordingLine.Header) { run = RecordedRun(header: header) }

  mutating func append(_ line: RecordingLine) {
    if let call = line.call { cards[call.n] = call.card }
    if let answer = line.answer, let snapshot = answer.snapshot {
      guard let card = cards[answer.n], let value = try? value(of: snapshot, card) else {
        run.unreadable += 1
        return
      }
      run.snapshots[answer.n] = value
    }
    run.lines.append(line)
  }

  private mutating func value(of snapshot: RecordedSnapshot, _ card: String) throws(RecordingError) -> CardSnapshot {
    let (crtcs, connectors) = (snapshot.crtcs, snapshot.connectors)
    guard crtcs.allSatisfy({ $0.count == 2 }), Set(crtcs.map { $0[0] }).count == crtcs.count, crtcs.count <= 32,
      Set(connectors.map(\.name)).count == connectors.count, Set(connectors.map(\.id)).count == connectors.count,
      connectors.count <= 256
    else { throw RecordingError("no card has such connectors and CRTCs") }
    var values: [ConnectorSnapshot] = []
    for connector in connectors {
      let key = "\(card) \(connector.id) \(connector.name)"
      let value = try connector.value(after: last[key])
      last[key] = value
      values.append(value)
    }
    return CardSnapshot(
      card: card, driver: snapshot.driver, connectors: values,
      crtcs: crtcs.map { CRTCSnapshot(id: $0[0], isEnabled: $0[1] != 0) })
  }

  /// Returns the run with its lines sorted by time. Held frames are written after later lines.
  func finished() -> RecordedRun {
    var run = run
    run.lines = run.lines.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }.map(\.element)
    return run
  }
}
