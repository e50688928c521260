import Control
import Glibc
import JSON
import Lab
import Testing

/// Each driver of the lab through the same story, on the kernel that PLACARD_LAB_KERNEL names. `scripts/matrix` runs them
/// and makes the README's table of what they write, a line of JSON each, to the file that PLACARD_MATRIX names;
/// PLACARD_DRIVERS, names with blanks between, leaves drivers out.
@Suite(
  .serialized, .tags(.lab), .enabled(if: Stage.obstacle == nil, "no lab here: see scripts/test"),
  .enabled(if: MatrixRow.file != nil, "scripts/matrix runs these"))
struct MatrixStories {
  @Test(arguments: MatrixCard.Driver.chosen)
  func `a driver starts, is plugged, unplugged and yanked, and shows a hundred messages`(
    driver: MatrixCard.Driver
  ) throws {
    var row = MatrixRow(driver: driver.rawValue)
    defer { row.write() }
    let (lab, card): (Lab, MatrixCard)
    do {
      lab = try Stage.boot(MatrixCard.options(driver))
      row.kernel = try lab.text("/proc/sys/kernel/osrelease")
      card = try MatrixCard(driver, in: lab)
    } catch {
      row.start = MatrixRow.no(error)
      throw error
    }
    row.witness = card.witnessName
    let stage = try Stage(lab: lab, ["--message", "Matrix"])
    row.start = card.attempt("start", stage) { try card.see("Matrix", stage) }
    row.messages = card.attempt("messages", stage) { try card.showMessages(100, stage) }
    if let unplug = card.unplug {
      row.unplug = card.attempt("unplug", stage, yes: card.isForced ? "forced" : "yes") {
        try unplug()
        try card.waitForDarkness(stage)
      }
      row.plug = card.attempt("plug", stage, yes: card.isForced ? "forced" : "yes") {
        try card.plug()
        try card.see("Number 100", stage)
      }
    }
    if let yank = card.yank {
      row.yank = card.attempt("yank", stage) {
        stage.skipLog()
        try yank()
        try stage.waitForLog("lost")
        try card.putBack()
        try card.see("Number 100", stage)
      }
    }
    #expect(stage.service.isRunning)
    try stage.end()
  }
}

/// What was seen of one driver on one kernel: "yes", "-" where the driver has it not, or why it failed.
struct MatrixRow: Codable {
  var driver: String
  /// The one that runs, or until it does the one that was asked for.
  var kernel = unsafe getenv("PLACARD_LAB_KERNEL").map { unsafe String(cString: $0) } ?? "-"
  var witness = "-"
  var start = "not reached"
  var messages = "not reached"
  var unplug = "-"
  var plug = "-"
  var yank = "-"

  /// Where rows are written; nil where nobody wants them.
  static let file: String? = unsafe getenv("PLACARD_MATRIX").map { unsafe String(cString: $0) }

  /// What it says of a step that failed.
  static func no(_ error: any Error) -> String {
    // Where the programs are is this machine's own.
    let words = "\(error)".split(separator: Stage.programs + "/").joined()
    return "no: " + (words.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// Adds it to the file as a line.
  func write() {
    guard let path = Self.file, let line = try? JSON.encode(self) else { return }
    guard let file = unsafe fopen(path, "a") else { return _ = Issue.record("\(path) cannot be written") }
    unsafe fputs(String(decoding: line, as: UTF8.self) + "\n", file)
    unsafe fclose(file)
  }
}
