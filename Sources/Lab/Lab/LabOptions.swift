/// The configuration of a lab.
public struct LabOptions: Sendable {
  /// The graphics card that is present at boot.
  public enum Card: Sendable, Equatable {
    /// virtio-gpu: connectors Virtual-1 to Virtual-N (N is 1...16) with hotpluggable monitors, format XR24.
    ///
    /// If `edid` is false, its monitors have no EDID.
    case virtioGPU(outputs: Int, edid: Bool = true)
    /// bochs-display: one connector that is always connected, formats XR24 and BX24.
    case bochs
    /// VGA (stdvga), with the driver bochs.
    case vga
    /// cirrus-vga: connector VGA-1 without EDID, preferred depth 16.
    case cirrus
    /// qxl-vga: four Virtual connectors, one of them connected.
    case qxl
    /// No card.
    ///
    /// `addCard` can add one.
    case none
  }

  /// The system in the guest.
  public enum Root: Sendable, Equatable {
    /// The host's root, read-only below an overlay in memory, so that all programs of the host run in the guest.
    ///
    /// It has no systemd: the lab's agent is process 1.
    case host
    /// A Debian with systemd, below an overlay in memory.
    ///
    /// The host's root is at /host, read-only.
    case debian(RootFS)
  }

  /// A file that is added to the guest's root before its first program starts.
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

    /// Creates a file with the given bytes.
    public static func file(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644) -> OverlayFile {
      OverlayFile(path: path, content: .bytes(bytes), mode: mode)
    }

    /// Creates a file with the given text.
    public static func file(_ path: String, _ text: String, mode: UInt32 = 0o644) -> OverlayFile {
      .file(path, Array(text.utf8), mode: mode)
    }

    /// Creates a copy of a host file, with its mode unless another one is given.
    public static func copy(of hostPath: String, at path: String, mode: UInt32? = nil) -> OverlayFile {
      OverlayFile(path: path, content: .hostFile(hostPath), mode: mode)
    }

    /// Creates a symbolic link.
    public static func link(_ path: String, to target: String) -> OverlayFile {
      OverlayFile(path: path, content: .link(target), mode: nil)
    }

    /// Creates an empty directory.
    public static func directory(_ path: String, mode: UInt32 = 0o755) -> OverlayFile {
      OverlayFile(path: path, content: .directory, mode: mode)
    }
  }

  /// The lab's name, unique among this user's running labs: letters, digits, ".", "_" and "-".
  ///
  /// Nil generates a name.
  public var name: String?
  /// The graphics card.
  public var card: Card = .virtioGPU(outputs: 4)
  /// The sizes in pixels of monitors that are connected at boot, by output index from 0.
  ///
  /// Only for virtio-gpu.
  public var monitors: [Int: (width: Int, height: Int)] = [:]
  /// The system in the guest.
  public var root: Root = .host
  /// The files that are added to the root.
  public var overlayFiles: [OverlayFile] = []
  /// The path of a disk image on the host, which the guest can mount from `diskDevice`.
  ///
  /// It outlives the lab. A missing image is created: 64 MiB with an empty ext4.
  public var disk: String?
  /// The series of the guest's kernel, such as "6.12", from the sources of the host's apt or from Debian unstable.
  ///
  /// If it is nil, $PLACARD_LAB_KERNEL applies. If that is empty, the default kernel of the host's Debian applies.
  public var kernel: String?
  /// The size of the memory in MiB.
  public var memory = 1024
  /// The number of processors.
  public var processors = 2
  /// Additional kernel arguments, such as "drm.debug=0x1ff".
  public var kernelArguments: [String] = []
  /// Additional kernel modules to load at boot, with their dependencies.
  ///
  /// `modprobe` works later as well.
  public var modules: [String] = []
  /// Additional arguments for QEMU.
  public var qemuArguments: [String] = []
  /// The path of `placard-lab`, whose hidden subcommand `agent` runs in the guest.
  ///
  /// If it is nil, the lab uses $PLACARD_LAB, a program next to the running one, or one in PATH, in this order.
  public var agent: String?
  /// The time limit for the boot.
  public var bootTime: Duration = .generous

  /// The device node of the disk in the guest.
  ///
  /// A Debian root is on the first disk, so `disk` is then the second.
  public var diskDevice: String {
    if case .debian = root { "/dev/vdb" } else { "/dev/vda" }
  }

  /// Creates options for a virtio-gpu card with four outputs, no monitor, and the host's root.
  public init() {}
}
