import ArgumentParser
import Displays
import Geometry

struct EDIDCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "edid",
    abstract: "Prints a monitor's identity and mode according to its EDID, without the service.",
    discussion: """
      The kernel keeps the EDID of each connected monitor in /sys/class/drm.

      Exit status:
        0  each monitor gets a mode
        1  the policy finds no mode for a monitor
        2  a file cannot be read, or is not an EDID

      Examples:
        placard edid /sys/class/drm/card0-HDMI-A-1/edid
        placard edid --policy native --json monitor.bin
      """)

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "legible, native, halve-above-1080p, or a mode such as 1920x1080@60.", valueName: "policy"),
    completion: .list(["legible", "native", "halve-above-1080p"]),
    transform: { text in
      guard let policy = ModePolicy(parsing: text) else {
        throw ValidationError("\(text) is not a policy: use legible, native, halve-above-1080p or 1920x1080@60.")
      }
      return policy
    })
  var policy = ModePolicy.legible

  @Argument(help: ArgumentHelp("Files of EDID bytes; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  func run(on console: any Console) async throws(Failure) {
    var reports: [(file: String, report: EDIDReport)] = []
    for file in files {
      let bytes = try Self.bytes(of: file, console)
      reports.append((file, EDIDReport(bytes, policy: policy)))
    }
    try console.print(output.json ? JSONText.pretty(reports.map(EDIDDocument.init)) : Self.text(reports))
    let damaged = reports.compactMap { entry in entry.report.error.map { "\(entry.file): \($0)" } }
    guard damaged.isEmpty else { throw Failure(.usage, damaged.joined(separator: "; ")) }
    let modeless = reports.filter { $0.report.choice == nil }.map(\.file)
    guard modeless.isEmpty else {
      throw Failure(.refused, "\(modeless.joined(separator: ", ")): the policy \(policy) finds no mode.")
    }
  }

  /// Returns the bytes of a file or of standard input.
  private static func bytes(of file: String, _ console: any Console) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      // An unreadable file ends the command with the same status as a damaged one, as in `placard replay`.
      return file == "-" ? try console.readInput() : try FileBytes.read(path: file)
    } catch {
      throw Failure(.usage, error.message)
    }
  }

  /// Returns the reports as text, each below its file's name if there are several.
  private static func text(_ reports: [(file: String, report: EDIDReport)]) -> String {
    reports.map { file, report in
      let head = reports.count > 1 ? ["\(file):"] : []
      return (head + report.lines).map(Table.printable).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

/// An entry of the JSON that `placard edid --json` prints.
struct EDIDDocument: Encodable {
  struct Verdict: Encodable {
    let mode: String
    let reason: String
  }

  let file: String
  let identity: String
  let label: String
  let error: String?
  let vendor: String?
  let product: UInt16?
  let serial: UInt32?
  let serialText: String?
  let name: String?
  let notes: [String]
  let modes: [String]
  let preferred: [String]
  let policy: String
  let mode: String?
  let scale: Int?
  let reasons: [String]
  let rejected: [Verdict]

  init(file: String, report: EDIDReport) {
    let who = report.identity
    let modes = report.edid?.modes ?? []
    self.file = file
    (identity, label) = (who.text, who.label)
    error = report.error.map { "\($0)" }
    (vendor, product, serial) = (who.vendor, who.product, who.serial)
    (serialText, name) = (who.serialString, who.name)
    notes = report.edid?.notes ?? []
    self.modes = modes.map(\.description)
    preferred = modes.filter(\.isPreferred).map(\.description)
    policy = "\(report.policy)"
    (mode, scale) = (report.choice?.mode.description, report.choice?.scale)
    reasons = report.choice?.reasons ?? report.refusal?.reasons ?? []
    let verdicts = report.choice?.rejected ?? report.refusal?.rejected ?? []
    rejected = verdicts.map { Verdict(mode: "\($0.mode)", reason: $0.reason) }
  }
}
