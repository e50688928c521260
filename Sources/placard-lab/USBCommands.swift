import ArgumentParser
import Lab
import USBDisplays

/// The connectors of a USB card, and the monitor that is plugged into each.
struct USBConnectors: ParsableArguments {
  @Option(help: "An HDMI connector, and its monitor: WIDTHxHEIGHT, a file with an EDID, or none. May be repeated.")
  var hdmi: [String] = []

  @Option(help: "A DisplayPort connector, in the same way; they come after the HDMI ones.")
  var dp: [String] = []

  @Option(
    name: .customLong("displaylink"),
    help: "A DisplayLink adapter for the kernel's driver udl, in the same way; its one connector is VGA-1.")
  var displayLink: String?

  var isEmpty: Bool { hdmi.isEmpty && dp.isEmpty && displayLink == nil }
  var kinds: [GUDCard.Kind] { hdmi.map { _ in .hdmi } + dp.map { _ in .displayPort } }
  var arguments: [String] {
    hdmi.flatMap { ["--hdmi", $0] } + dp.flatMap { ["--dp", $0] } + (displayLink.map { ["--displaylink", $0] } ?? [])
  }

  /// Returns the EDIDs of the plugged monitors, by connector number.
  func monitors() throws -> [Int: [UInt8]] {
    if displayLink != nil, !kinds.isEmpty {
      throw ValidationError("A DisplayLink adapter has no connectors but its own.")
    }
    var monitors: [Int: [UInt8]] = [:]
    for (number, text) in (displayLink.map { [$0] } ?? hdmi + dp).enumerated() where text != "none" {
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

/// The hidden command with which `plug` emulates a USB card.
struct PlayUSBCard: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "usb-card", shouldDisplay: false)

  @OptionGroup var lab: LabName
  @OptionGroup var connectors: USBConnectors

  func run() throws {
    let (kinds, monitors) = (connectors.kinds, try connectors.monitors())
    let isDisplayLink = connectors.displayLink != nil
    try Lab.playUSBCard(in: lab.name) { lab throws(LabError) in
      isDisplayLink
        ? try lab.plugDisplayLink(monitor: monitors[0]) : try lab.plugUSBCard(kinds, monitors: monitors)
    }
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
