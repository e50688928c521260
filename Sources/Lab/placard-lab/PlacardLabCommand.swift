import ArgumentParser
import Lab
import ProcessArguments

// SwiftPM links this function as `main`.
/// Runs the command line of the lab.
@_cdecl("placard_lab_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  PlacardLabCommand.main(unsafe ProcessArguments.read(count, words))
  return 0
}

/// The command line of the lab, a front end to the library Lab.
struct PlacardLabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placard-lab",
    abstract: "Run a Linux guest in QEMU, and plug and unplug its monitors and graphics cards.",
    discussion: """
      The guest runs a Debian kernel and sees the host's files, so programs that are built on the host run in it.

      Examples:
        placard-lab up
        placard-lab plug 0 1920x1080
        placard-lab exec -- ls -l /sys/class/drm
        placard-lab shot 0 monitor.png
        placard-lab uevents &
        placard-lab unplug 0
        placard-lab plug --hdmi 1920x1080
        placard-lab yank usb1
        placard-lab down

      An output N is the guest's connector Virtual-(N+1). To run several labs, give each a --name.
      """,
    subcommands: [
      Up.self, Exec.self, Put.self, Get.self, Plug.self, Unplug.self, Shot.self, Yank.self, CardAdd.self,
      CardRemove.self, Uevents.self, Log.self, List.self, Down.self, Cut.self, Agent.self, EmulateUSBCard.self,
    ])
}

/// The option that selects a lab.
struct LabName: ParsableArguments {
  @Option(help: "The lab's name.")
  var name = "default"

  func attach() throws -> Lab {
    try Lab.attach(to: name)
  }
}

/// The hidden command that runs the agent in the guest.
struct Agent: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  func run() throws {
    try GuestAgent.run()
  }
}
