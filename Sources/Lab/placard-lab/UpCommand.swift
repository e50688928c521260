import ArgumentParser
import Lab
import USBDisplays

struct Up: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Boot a guest, which runs until placard-lab down.",
    discussion: """
      Examples:
        placard-lab up
        placard-lab up --plug 0=3840x2160 --plug 1=1080x1920
        placard-lab up --name small --card cirrus --memory 512 --kernel 6.12
        placard-lab up --disk state.img && placard-lab exec -- mount /dev/vda /mnt
        placard-lab up --debian --package kbd        (as root; builds a Debian with systemd once, then reuses it)
      """)

  @OptionGroup var lab: LabName

  @Option(help: "The graphics card: virtio-gpu, bochs, vga, cirrus, qxl or none.")
  var card = "virtio-gpu"

  @Option(help: "The number of virtio-gpu outputs, 1 to 16.")
  var outputs = 4

  @Flag(inversion: .prefixedNo, help: "Whether virtio-gpu's monitors have an EDID.")
  var edid = true

  @Option(name: .customLong("plug"), help: "A monitor to plug before boot: OUTPUT=WIDTHxHEIGHT; may be repeated.")
  var monitors: [MonitorArgument] = []

  @Option(help: "A disk image, /dev/vda in the guest (/dev/vdb with --debian); created with an ext4 if missing.")
  var disk: String?

  @Option(help: "The kernel's major version, such as 6.12; by default PLACARD_LAB_KERNEL, or Debian's kernel.")
  var kernel: String?

  @Option(help: "Memory in MiB.")
  var memory = 1024

  @Option(name: .customLong("append"), help: "An addition to the kernel's command line; may be repeated.")
  var kernelArguments: [String] = []

  @Option(name: .customLong("module"), help: "A kernel module to load at start; may be repeated.")
  var modules: [String] = []

  @Flag(help: "Run a Debian with systemd instead of the host's root file system.")
  var debian = false

  @Option(name: .customLong("package"), help: "With --debian, a package to install in the guest; may be repeated.")
  var packages: [String] = []

  func validate() throws {
    guard packages.isEmpty || debian else { throw ValidationError("--package needs --debian.") }
    _ = try cardOption()
  }

  func run() throws {
    var options = LabOptions()
    options.name = lab.name
    options.card = try cardOption()
    for monitor in monitors { options.monitors[monitor.output] = (monitor.size.width, monitor.size.height) }
    (options.disk, options.kernel) = (disk, kernel)
    options.memory = memory
    options.kernelArguments = kernelArguments
    options.modules = modules
    if debian { options.root = .debian(try RootFS.debian(packages: packages)) }
    try Lab.bootDetached(options)
    print("The lab \(lab.name) is up. Plug a monitor: placard-lab plug 0 1920x1080. Stop the lab: placard-lab down")
  }

  private func cardOption() throws -> LabOptions.Card {
    switch card {
    case "virtio-gpu": return .virtioGPU(outputs: outputs, edid: edid)
    case "bochs": return .bochs
    case "vga": return .vga
    case "cirrus": return .cirrus
    case "qxl": return .qxl
    case "none": return .none
    default: throw ValidationError("\(card) is not a card: use virtio-gpu, bochs, vga, cirrus, qxl or none.")
    }
  }
}

struct Down: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stop a guest and remove its files.",
    discussion: "Example: placard-lab down --name small")

  @OptionGroup var lab: LabName

  func run() throws {
    try lab.attach().down()
  }
}

struct Cut: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cut a guest's power, without a shutdown; its --disk keeps what was flushed.",
    discussion: "Example: placard-lab cut && placard-lab up --disk state.img")

  @OptionGroup var lab: LabName

  func run() throws {
    try lab.attach().cutPower()
  }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the names of the running labs.", discussion: "Example: placard-lab list")

  func run() {
    for name in Lab.names { print(name) }
  }
}

/// A size in pixels, written as `1920x1080`.
struct SizeArgument: ExpressibleByArgument {
  let width: Int
  let height: Int

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
    self.width = width
    self.height = height
  }

  /// The EDID of an HDMI monitor of this size at 60 Hz; nil if the size or the pixel clock exceeds a detailed timing's
  /// fields.
  var edid: [UInt8]? {
    guard (1..<4096).contains(width), (1..<4096).contains(height), (width + 160) * (height + 30) * 60 / 10000 <= 0xFFFF
    else { return nil }
    return MonitorEDID.hdmi(width: width, height: height, name: "Lab \(width)")
  }
}

/// An output and the size of its monitor, written as `0=1920x1080`.
struct MonitorArgument: ExpressibleByArgument {
  let output: Int
  let size: SizeArgument

  init?(argument: String) {
    let parts = argument.split(separator: "=").map(String.init)
    guard parts.count == 2, let output = Int(parts[0]), let size = SizeArgument(argument: parts[1]) else { return nil }
    self.output = output
    self.size = size
  }
}
