import ArgumentParser
import Lab
import USBDisplays

/// The connectors of a USB card, and the monitor that is plugged into each.
struct USBConnectors: ParsableArguments {
  @Option(help: "An HDMI connector and its monitor: WIDTHxHEIGHT, an EDID file or none; may be repeated.")
  var hdmi: [String] = []

  @Option(help: "A DisplayPort connector, like --hdmi; numbered after the HDMI connectors.")
  var dp: [String] = []

  @Option(
    name: .customLong("displaylink"),
    help: "A DisplayLink adapter for the kernel's driver udl, like --hdmi; its only connector is VGA-1.")
  var displayLink: String?

  var isEmpty: Bool { hdmi.isEmpty && dp.isEmpty && displayLink == nil }
  var kinds: [GUDCard.Kind] { hdmi.map { _ in .hdmi } + dp.map { _ in .displayPort } }
  var arguments: [String] {
    hdmi.flatMap { ["--hdmi", $0] } + dp.flatMap { ["--dp", $0] } + (displayLink.map { ["--displaylink", $0] } ?? [])
  }

  /// Returns the EDIDs of the plugged monitors, by connector number.
  func monitors() throws -> [Int: [UInt8]] {
    if displayLink != nil, !kinds.isEmpty {
      throw ValidationError("Give --displaylink or other connectors, not both: the adapter has one connector.")
    }
    var monitors: [Int: [UInt8]] = [:]
    for (number, text) in (displayLink.map { [$0] } ?? hdmi + dp).enumerated() where text != "none" {
      guard let size = SizeArgument(argument: text) else {
        monitors[number] = try Lab.edid(ofFile: text)
        continue
      }
      guard let edid = size.edid else {
        throw ValidationError("An EDID cannot describe a monitor of \(text): use a smaller size.")
      }
      monitors[number] = edid
    }
    return monitors
  }
}

/// The hidden command with which `plug` emulates a USB card.
struct EmulateUSBCard: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "usb-card", shouldDisplay: false)

  @OptionGroup var lab: LabName
  @OptionGroup var connectors: USBConnectors

  func run() throws {
    let (kinds, monitors) = (connectors.kinds, try connectors.monitors())
    let isDisplayLink = connectors.displayLink != nil
    try Lab.serveUSBCard(in: lab.name) { lab throws(LabError) in
      isDisplayLink
        ? try lab.plugDisplayLink(monitor: monitors[0]) : try lab.plugUSBCard(kinds, monitors: monitors)
    }
  }
}

struct Yank: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Yank a card that plug or card-add added.",
    discussion: "Example: placard-lab yank usb1")

  @OptionGroup var lab: LabName
  @Argument(help: "The card's name.") var card: String

  func run() throws {
    try lab.attach().yank(card: card)
  }
}
