import ArgumentParser
import Lab

struct Plug: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plug a monitor, or change the one that is there.",
    discussion: """
      Examples:
        placard-lab plug 0 1920x1080
        placard-lab plug 1 --edid monitor.bin
        placard-lab plug 1 3840x2160 --edid broken.bin     (a size, where the EDID has none)
        placard-lab plug 1 1920x1080 --reset-edid
      """)

  @OptionGroup var lab: LabName
  @Argument(help: "The output, from 0 on.") var output: Int
  @Argument(help: "Its size in pixels; with --edid the EDID's preferred size if left out.") var size: SizeArgument?

  @Option(help: "A file with the monitor's EDID.")
  var edid: String?

  @Flag(name: .customLong("reset-edid"), help: "Forget an EDID that was given to the output before.")
  var resetEDID = false

  func validate() throws {
    guard size != nil || edid != nil else { throw ValidationError("Give a size such as 1920x1080, or --edid FILE.") }
    guard edid == nil || !resetEDID else { throw ValidationError("--edid and --reset-edid exclude each other.") }
  }

  func run() throws {
    let lab = try lab.attach()
    if resetEDID { try lab.resetEDID(output) }
    if let edid {
      try lab.plug(output, edidFile: edid, size: size.map { ($0.width, $0.height) })
    } else if let size {
      try lab.plug(output, width: size.width, height: size.height)
    }
  }
}

struct Unplug: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Unplug the monitor of an output.", discussion: "Example: placard-lab unplug 0")

  @OptionGroup var lab: LabName
  @Argument(help: "The output, from 0 on.") var output: Int

  func run() throws {
    try lab.attach().unplug(output)
  }
}

struct Shot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what a monitor shows to a PNG file.", discussion: "Example: placard-lab shot 0 monitor.png")

  @OptionGroup var lab: LabName
  @Argument(help: "The output, from 0 on.") var output: Int
  @Argument(help: "The PNG file.") var file: String

  @Option(help: "A card that card-add named; without it the first card.")
  var card: String?

  func run() throws {
    try lab.attach().screenshot(output, card: card, toFile: file)
  }
}

struct CardAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "card-add", abstract: "Plug another graphics card and print its name.",
    discussion: "Example: placard-lab card-add")

  @OptionGroup var lab: LabName

  func run() throws {
    print(try lab.attach().addCard())
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
