/// Fuzzes the recording parser with bytes from libFuzzer. Neither parsing nor the preparation and comparison of a
/// replay may trap.
func fuzzRecording(_ bytes: [UInt8]) {
  do throws(RecordingError) {
    for run in try RecordingReader.runs(of: bytes) { look(at: run) }
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  var mask = SerialMask()
  let masked = mask.mask(bytes)
  precondition(masked.count == bytes.count)
}

private func look(at run: RecordedRun) {
  // A recording is equal to itself.
  precondition(Comparison(recorded: run, now: run).differences.isEmpty)
  for line in run.lines {
    let again = (try? JSON.encode(line)).flatMap { try? JSON.decode(RecordingLine.self, from: $0) }
    precondition(again == line)
  }
  var script = ReplayScript(run)
  let calls = run.lines.compactMap(\.call)
  for call in calls + calls {
    if let step = script.claim(.init(op: call.op.rawValue, card: call.card, size: call.size, plan: call.plan), at: 0) {
      precondition(step.begin <= 5_000_000_000)
    }
    _ = script.probe(call.card, at: run.length / 2)
  }
  var last: CardSnapshot?
  for (_, snapshot) in run.snapshots.sorted(by: { $0.key < $1.key }) {
    _ = ConnectorDiff(from: last, to: snapshot).changes
    let wanted = snapshot.displays.filter(\.isDisplayable)
    precondition(CRTCAssignment(wanted: wanted, crtcs: snapshot.crtcs).dark.count <= wanted.count)
    for connector in wanted { _ = try? ModePolicy.legible.choose(from: connector.modes, isEDIDPresent: true) }
    last = snapshot
  }
}
