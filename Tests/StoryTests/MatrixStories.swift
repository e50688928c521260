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
    let lab = try Stage.boot(MatrixCard.options(driver))
    var row = MatrixRow(driver: driver.rawValue, kernel: try lab.text("/proc/sys/kernel/osrelease"))
    defer { row.write() }
    let card = try MatrixCard(driver, in: lab)
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
  var kernel: String
  var witness = "-"
  var start = "not reached"
  var messages = "not reached"
  var unplug = "-"
  var plug = "-"
  var yank = "-"

  /// Where rows are written; nil where nobody wants them.
  static let file: String? = unsafe getenv("PLACARD_MATRIX").map { unsafe String(cString: $0) }

  /// Adds it to the file as a line.
  func write() {
    guard let path = Self.file, let line = try? JSON.encode(self) else { return }
    guard let file = unsafe fopen(path, "a") else { return _ = Issue.record("\(path) cannot be written") }
    unsafe fputs(String(decoding: line, as: UTF8.self) + "\n", file)
    unsafe fclose(file)
  }
}
