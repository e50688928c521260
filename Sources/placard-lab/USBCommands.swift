import ArgumentParser
import Lab
import USBDisplays

/// The connectors of a USB card, and what is plugged into each.
struct USBConnectors: ParsableArguments {
  @Option(help: "An HDMI connector, and its monitor: WIDTHxHEIGHT, a file with an EDID, or none. May be repeated.")
  var hdmi: [String] = []

  @Option(help: "A DisplayPort connector, in the same way; they come after the HDMI ones.")
  var dp: [String] = []

  var isEmpty: Bool { hdmi.isEmpty && dp.isEmpty }
  var kinds: [GUDCard.Kind] { hdmi.map { _ in .hdmi } + dp.map { _ in .displayPort } }
  var arguments: [String] { hdmi.flatMap { ["--hdmi", $0] } + dp.flatMap { ["--dp", $0] } }

  /// EDIDs by connector.
  func monitors() throws -> [Int: [UInt8]] {
    var monitors: [Int: [UInt8]] = [:]
    for (number, text) in (hdmi + dp).enumerated() where text != "none" {
      guard let size = SizeArgument(argument: text) else {
        monitors[number] = try Lab.edid(ofFile: text)
        continue
      }
      guard let edid = size.edid else { throw ValidationError("A monitor of \(text) cannot be described by an EDID.") }
      monitors[number] = edid
    }
    return monitors
  }
}

/// Plays a USB card; started by `plug`, not by people.
struct PlayUSBCard: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "usb-card", shouldDisplay: false)

  @OptionGroup var lab: LabName
  @OptionGroup var connectors: USBConnectors

  func run() throws {
    try Lab.playUSBCard(in: lab.name, connectors.kinds, monitors: try connectors.monitors())
  }
}

struct Yank: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Yank a card: a USB card that plug named, or one that card-add did.",
    discussion: "Example: placard-lab yank usb1")

  @OptionGroup var lab: LabName
  @Argument(help: "The card's name.") var card: String

  func run() throws {
    try lab.attach().yank(card: card)
  }
}
