import ArgumentParser
import Lab

struct Plug: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plug or replace a monitor, or plug a USB card with its own connectors.",
    discussion: """
      Examples:
        placard-lab plug 0 1920x1080
        placard-lab plug 1 --edid monitor.bin
        placard-lab plug 1 3840x2160 --edid broken.bin     (the size, if the EDID has none)
        placard-lab plug 1 1920x1080 --reset-edid
        placard-lab plug --hdmi 1280x720                   (a USB card and its monitor; prints "usb1: HDMI-A-1")
        placard-lab plug --hdmi monitor.bin --hdmi none --dp none
        placard-lab plug 1 1920x1080 --card usb1
        placard-lab plug --displaylink 1280x720            (a DisplayLink adapter; prints "usb2: VGA-1")
      A separate process emulates a USB card until it is yanked or the lab goes down.
      """)

  @OptionGroup var lab: LabName
  @OptionGroup var connectors: USBConnectors
  @Argument(help: "The output's number, from 0; for a USB card, the connector's.") var output: Int?
  @Argument(help: "The size in pixels; with --edid, by default the EDID's preferred size.") var size: SizeArgument?

  @Option(help: "A file with the monitor's EDID.")
  var edid: String?

  @Flag(name: .customLong("reset-edid"), help: "Discard the EDID that --edid set for this output.")
  var resetEDID = false

  @Option(help: "A USB card, by the name that plug printed; by default the virtio-gpu card.")
  var card: String?

  func validate() throws {
    guard connectors.isEmpty else {
      guard output == nil, edid == nil, card == nil, !resetEDID else {
        throw ValidationError(
          "--hdmi, --dp and --displaylink plug a new card: omit the output and the other options.")
      }
      return _ = try connectors.monitors()
    }
    guard output != nil else {
      throw ValidationError("Give an output such as 0, or --hdmi or --displaylink for a USB card.")
    }
    guard size != nil || edid != nil else { throw ValidationError("Give a size such as 1920x1080, or --edid FILE.") }
    guard edid == nil || !resetEDID else { throw ValidationError("Give --edid or --reset-edid, not both.") }
    guard card == nil || !resetEDID else { throw ValidationError("--reset-edid works only with the virtio-gpu card.") }
  }

  func run() throws {
    guard let output else {
      print(try Lab.startUSBCard(["usb-card", "--name", lab.name] + connectors.arguments))
      return
    }
    let lab = try lab.attach()
    if let card { return try lab.plug(try bytes(), into: output, ofCard: card) }
    if resetEDID { try lab.resetEDID(output) }
    if let edid {
      try lab.plug(output, edidFile: edid, size: size.map { ($0.width, $0.height) })
    } else if let size {
      try lab.plug(output, width: size.width, height: size.height)
    }
  }

  /// Returns the EDID for a USB card's monitor; empty if none can describe the size.
  private func bytes() throws -> [UInt8] {
    if let edid { return try Lab.edid(ofFile: edid) }
    return size.flatMap { $0.edid } ?? []
  }
}

struct Unplug: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Unplug the monitor of an output.",
    discussion: """
      Examples:
        placard-lab unplug 0
        placard-lab unplug 1 --card usb1
      """)

  @OptionGroup var lab: LabName
  @Argument(help: "The output's number, from 0; for a USB card, the connector's.") var output: Int

  @Option(help: "A USB card, by the name that plug printed; by default the virtio-gpu card.")
  var card: String?

  func run() throws {
    let lab = try lab.attach()
    if let card { try lab.unplug(output, ofCard: card) } else { try lab.unplug(output) }
  }
}

struct Shot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what a monitor shows to a PNG file.",
    discussion: """
      Examples:
        placard-lab shot 0 monitor.png
        placard-lab shot 0 monitor.png --card usb1
      """)

  @OptionGroup var lab: LabName
  @Argument(help: "The output's number, from 0; for a USB card, the connector's.") var output: Int
  @Argument(help: "The PNG file.") var file: String

  @Option(help: "A card, by the name that card-add or plug printed; by default the first card.")
  var card: String?

  func run() throws {
    try lab.attach().screenshot(output, card: card, toFile: file)
  }
}

struct CardAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "card-add", abstract: "Plug another graphics card and print its name.",
    discussion: """
      Examples:
        placard-lab card-add
        placard-lab card-add --vkms        (prints "card1: Virtual-5")
      """)

  @OptionGroup var lab: LabName

  @Flag(
    help: "Add the kernel's virtual card vkms, with real frame times; permanent. Prints its node and connector.")
  var vkms = false

  func run() throws {
    let lab = try lab.attach()
    guard vkms else { return print(try lab.addCard()) }
    let card = try lab.addVKMS()
    print("\(card.node): \(card.connectorName)")
  }
}

struct CardRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "card-remove", abstract: "Yank a card that card-add plugged.",
    discussion: "Example: placard-lab card-remove card3")

  @OptionGroup var lab: LabName
  @Argument(help: "The name that card-add printed.") var card: String

  func run() throws {
    try lab.attach().removeCard(card)
  }
}
