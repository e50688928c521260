import Control
import Glibc
import JSON
import Lab
import Testing

/// The same story for each driver of the lab, on the kernel that PLACARD_LAB_KERNEL names.
///
/// `scripts/matrix` runs it and makes the table of Lab.md from the JSON lines in the file that PLACARD_MATRIX names.
/// PLACARD_DRIVERS, names separated by spaces, selects drivers.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"),
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
      lab = try GuestFixture.boot(MatrixCard.options(driver))
      row.kernel = try lab.text("/proc/sys/kernel/osrelease")
      card = try MatrixCard(driver, in: lab)
    } catch {
      row.start = MatrixRow.no(error)
      throw error
    }
    row.waitForFrame = card.captureName
    let guest = try GuestFixture(lab: lab, ["--message", "Matrix"])
    row.start = card.attempt("start", guest) { try card.see("Matrix", guest) }
    row.messages = card.attempt("messages", guest) { try card.showMessages(100, guest) }
    if let unplug = card.unplug {
      row.unplug = card.attempt("unplug", guest, yes: card.isForced ? "forced" : "yes") {
        try unplug()
        try card.waitForDarkness(guest)
      }
      row.plug = card.attempt("plug", guest, yes: card.isForced ? "forced" : "yes") {
        try card.plug()
        try card.see("Number 100", guest)
      }
    }
    if let yank = card.yank {
      row.yank = card.attempt("yank", guest) {
        guest.skipLog()
        try yank()
        try guest.waitForLog("lost")
        try card.putBack()
        try card.see("Number 100", guest)
      }
    }
    #expect(guest.service.isRunning)
    try guest.end()
  }
}

/// The result of one driver on one kernel: "yes", "-" if the driver does not support it, or the reason of the failure.
struct MatrixRow: Codable {
  var driver: String
  /// The running kernel, or the requested one before it runs.
  var kernel = unsafe getenv("PLACARD_LAB_KERNEL").map { unsafe String(cString: $0) } ?? "-"
  var waitForFrame = "-"
  var start = "not reached"
  var messages = "not reached"
  var unplug = "-"
  var plug = "-"
  var yank = "-"

  /// The file for the rows; nil if none is requested.
  static let file: String? = unsafe getenv("PLACARD_MATRIX").map { unsafe String(cString: $0) }

  /// Returns the text for a failed step.
  static func no(_ error: any Error) -> String {
    // The path of the programs is specific to this machine.
    let words = "\(error)".split(separator: GuestFixture.programs + "/").joined()
    return "no: " + (words.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// Appends the row to the file.
  func write() {
    guard let path = Self.file, let line = try? JSON.encode(self) else { return }
    guard let file = unsafe fopen(path, "a") else { return _ = Issue.record("cannot write \(path)") }
    unsafe fputs(String(decoding: line, as: UTF8.self) + "\n", file)
    unsafe fclose(file)
  }
}
