import Geometry
import Glibc

/// The times of both sides for one operation, in milliseconds.
struct ComparedTimes {
  var placard: [Double] = []
  var pango: [Double] = []
}

/// A comparison of Placard and Pango + Cairo, measured alternately, with the memory speed in the same run.
struct TextBench {
  let pixels: Size
  let rounds: Int
  /// The path of the compiled scripts/bench.d/pango.c.
  let pango: String
  /// The path of a cache file for fontconfig's answers, as the service uses one.
  let fontMemory: String
  /// The directory for images of both sides' output, or nil for none.
  let pictures: String?

  private static let font = "DejaVu Sans"

  /// Measures all subjects and prints their table.
  func run() throws {
    let yardstick = FrameCopy(bytes: pixels.area * 4)
    _ = yardstick.times(3)
    var fills: [Double] = []
    var copies: [Double] = []
    var table = TextTable()
    for subject in TextSubject.all {
      for _ in 0..<rounds {
        fills.append(Stopwatch.time { yardstick.clear() } / 1000)
        copies.append(Stopwatch.time { yardstick.once() } / 1000)
      }
      try measure(subject, into: &table)
    }
    print("\n### \(pixels), medians of \(rounds) rounds (least to most)\n")
    print("A frame in this run: memset \(TextTable.text(fills)) ms, memcpy \(TextTable.text(copies)) ms\n")
    table.print()
  }

  private func measure(_ subject: TextSubject, into table: inout TextTable) throws {
    try firstFrames(subject, into: &table)
    let (placard, pango) = (try side(fontMemory), try other())
    var (full, word, new) = (ComparedTimes(), ComparedTimes(), ComparedTimes())
    var sizes = (placard: 0, pango: 0)
    var areas = (placard: 0, pango: 0)
    for round in -2..<rounds {
      let whole = try both(.init("F", subject.text), placard, pango, round)
      let part = try both(.init("C", subject.changed), placard, pango, round)
      // Two warm-up rounds do not count.
      guard round >= 0 else { continue }
      full.add(whole)
      word.add(part)
      sizes = (whole.placard.size, whole.pango.size)
      areas = (part.placard.area, part.pango.area)
    }
    for round in 0..<rounds { new.add(try both(.init("F", subject.new(round)), placard, pango, round)) }
    table.add(subject.name, "full redraw, warm", full, goal: 2)
    table.add(subject.name, "new text, new size", new, goal: 2)
    table.add(subject.name, "one word", word, goal: 8)
    let memory = ComparedTimes(
      placard: [Double(try placard.ask(.init("M")).done) / 1000], pango: [Double(try pango.ask(.init("M")).done) / 1000]
    )
    table.add(subject.name, "peak memory after all, MB", memory)
    try save(subject, placard, pango)
    table.note(
      "\(subject.name): letters of \(TextTable.pixels(sizes.placard)) and \(TextTable.pixels(sizes.pango)) pixels; "
        + "one word repaints \(share(areas.placard))% and \(share(areas.pango))% of the frame")
  }

  /// Measures fresh processes, from the time of the spawn until the pixels are complete.
  private func firstFrames(_ subject: TextSubject, into table: inout TextTable) throws {
    let command = Process.Command("F", subject.text)
    var (first, unknown, memory) = (ComparedTimes(), ComparedTimes(), ComparedTimes())
    for round in -1..<rounds {
      let remembered = try firstFrame(side(fontMemory, first: command))
      let forgetful = try firstFrame(side(nil, first: command))
      let pango = try firstFrame(other(first: command))
      // The first run of each program loads files into the page cache.
      guard round >= 0 else { continue }
      first.placard.append(remembered.time)
      first.pango.append(pango.time)
      unknown.placard.append(forgetful.time)
      unknown.pango.append(pango.time)
      memory.placard.append(remembered.memory)
      memory.pango.append(pango.memory)
    }
    table.add(subject.name, "first frame", first, goal: 3)
    table.add(subject.name, "first frame, font not remembered", unknown)
    table.add(subject.name, "peak memory after it, MB", memory)
  }

  private func firstFrame(_ process: Process) throws -> (time: Double, memory: Double) {
    let answer = try process.answer()
    return (Double(answer.done - process.started) / 1e6, Double(try process.ask(.init("M")).done) / 1000)
  }

  private func both(
    _ command: Process.Command, _ placard: Process, _ pango: Process, _ round: Int
  ) throws -> (placard: Answer, pango: Answer) {
    // Alternate the order, so that neither side always runs with the CPU caches left by the other.
    if round.isMultiple(of: 2) {
      let answer = try placard.ask(command)
      return (answer, try pango.ask(command))
    }
    let answer = try pango.ask(command)
    return (try placard.ask(command), answer)
  }

  private func side(_ fontMemory: String?, first: Process.Command? = nil) throws -> Process {
    try Process(["/proc/self/exe", "serve", "\(pixels)", TextBench.font, fontMemory ?? "-"], first: first)
  }

  private func other(first: Process.Command? = nil) throws -> Process {
    try Process([pango, "\(pixels)", TextBench.font], first: first)
  }

  private func save(_ subject: TextSubject, _ placard: Process, _ pango: Process) throws {
    guard let pictures else { return }
    _ = try both(.init("F", subject.text), placard, pango, 0)
    let name = subject.name.filter { $0.isLetter || $0.isNumber }
    _ = try placard.ask(.init("P", "\(pictures)/\(name)-\(pixels)-placard.png"))
    _ = try pango.ask(.init("P", "\(pictures)/\(name)-\(pixels)-pango.png"))
  }

  private func share(_ area: Int) -> String { TextTable.text(Double(area) * 100 / Double(pixels.area)) }
}

extension ComparedTimes {
  mutating func add(_ answers: (placard: Answer, pango: Answer)) {
    placard.append(Double(answers.placard.duration) / 1e6)
    pango.append(Double(answers.pango.duration) / 1e6)
  }
}
