/// What a lab is made of.
public struct LabOptions: Sendable {
  /// The graphics card that is there from the start.
  public enum Card: Sendable, Equatable {
    /// virtio-gpu: connectors Virtual-1 to Virtual-N (1...16) whose monitors can be plugged and unplugged; XR24.
    /// Without `edid` no monitor on it has an EDID.
    case virtioGPU(outputs: Int, edid: Bool = true)
    /// bochs-display: one connector, XR24 and BX24, always connected.
    case bochs
    /// VGA (stdvga), driven by bochs, too.
    case vga
    /// cirrus-vga: connector VGA-1 without EDID, preferred depth 16.
    case cirrus
    /// qxl-vga: four Virtual connectors, one connected.
    case qxl
    /// No card; `addCard` can plug one.
    case none
  }

  /// The system that runs in the guest.
  public enum Root: Sendable, Equatable {
    /// The host's own root, read-only, with a layer in memory over it: every program of the host runs in the guest.
    /// No systemd; the lab's agent is process 1.
    case host
    /// A Debian with systemd, with a layer in memory over it. The host's root is at /host, read-only.
    case debian(RootFS)
  }

  /// Something placed into the guest's root before its first program starts.
  public struct OverlayFile: Sendable, Equatable {
    enum Content: Sendable, Equatable {
      case bytes([UInt8])
      case hostFile(String)
      case link(String)
      case directory
    }

    let path: String
    let content: Content
    let mode: UInt32?

    /// A file with this content.
    public static func file(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644) -> OverlayFile {
      OverlayFile(path: path, content: .bytes(bytes), mode: mode)
    }

    /// A file with this text.
    public static func file(_ path: String, _ text: String, mode: UInt32 = 0o644) -> OverlayFile {
      .file(path, Array(text.utf8), mode: mode)
    }

    /// A copy of a file of the host, with its mode unless another is given.
    public static func copy(of hostPath: String, at path: String, mode: UInt32? = nil) -> OverlayFile {
      OverlayFile(path: path, content: .hostFile(hostPath), mode: mode)
    }

    /// A symbolic link.
    public static func link(_ path: String, to target: String) -> OverlayFile {
      OverlayFile(path: path, content: .link(target), mode: nil)
    }

    /// An empty directory.
    public static func directory(_ path: String, mode: UInt32 = 0o755) -> OverlayFile {
      OverlayFile(path: path, content: .directory, mode: mode)
    }
  }

  /// The lab's name, unique among the running labs of this user: letters, digits, ".", "_", "-"; nil makes one up.
  public var name: String?
  /// The card.
  public var card: Card = .virtioGPU(outputs: 4)
  /// Monitors that are there when the kernel starts, by output from 0 on: width and height in pixels. virtio-gpu only.
  public var monitors: [Int: (width: Int, height: Int)] = [:]
  /// The guest's system.
  public var root: Root = .host
  /// Files of the guest that the root does not have.
  public var overlayFiles: [OverlayFile] = []
  /// An image on the host that the guest has as a disk of its own, `diskDevice`, to be mounted there; it stays when the
  /// lab goes. Where there is none it is made: 64 MiB with an empty ext4.
  public var disk: String?
  /// The guest's kernel by its first two numbers, "6.12", among those that apt or Debian unstable knows; nil is
  /// $PLACARD_LAB_KERNEL or, where that is empty, the host's Debian's own.
  public var kernel: String?
  /// Memory in MiB.
  public var memory = 1024
  /// Processors.
  public var processors = 2
  /// More for the kernel's command line, e.g. "drm.debug=0x1ff".
  public var kernelArguments: [String] = []
  /// More kernel modules to load at start, with what they need; `modprobe` works later, too.
  public var modules: [String] = []
  /// More arguments for QEMU.
  public var qemuArguments: [String] = []
  /// The program whose hidden subcommand `agent` runs in the guest: `placard-lab`. nil looks for $PLACARD_LAB, then
  /// beside the running program, then in PATH.
  public var agent: String?
  /// How long the boot may take.
  public var bootTime: Duration = .seconds(120)

  /// What the guest calls its disk: beside a Debian, which is on the first one, it is the second.
  public var diskDevice: String {
    if case .debian = root { "/dev/vdb" } else { "/dev/vda" }
  }

  /// A virtio-gpu card with four outputs and no monitor, on the host's root.
  public init() {}
}
