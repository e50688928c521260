/// The first root of the guest: busybox, the kernel modules and the script that makes the real root.
struct Initramfs {
  var options: LabOptions
  var kernel: KernelImage
  /// How to start the agent, with paths of the guest's root.
  var agent: [String]

  /// The archive for QEMU's -initrd.
  func archive() throws(LabError) -> [UInt8] {
    var archive = CpioArchive()
    for directory in ["/proc", "/sys", "/dev", "/host", "/lower", "/layer", "/root"] { archive.addDirectory(directory) }
    archive.addFile("/bin/busybox", try Initramfs.busybox(), mode: 0o755)
    let paths = try modulePaths()
    for path in paths { archive.addFile(inside(path), try kernel.module(path)) }
    try addOverlay(to: &archive)
    archive.addFile("/init", Array(script(modulePaths: paths).utf8), mode: 0o755)
    return archive.finished()
  }

  /// Debian's package busybox, too, has a program of that name, but one that needs libraries, which are not there yet.
  private static func busybox() throws(LabError) -> [UInt8] {
    let path = try HostTool.busybox.find()
    let bytes = try Files.read(path)
    guard !needsLoader(bytes) else {
      throw LabError(.missing, "\(path) is not linked statically; as root: apt-get install busybox-static")
    }
    return bytes
  }

  /// Whether a program is to be started by a dynamic loader, whose path then stands near its beginning (PT_INTERP).
  static func needsLoader(_ program: [UInt8]) -> Bool {
    let head = program.prefix(8192)
    let name = Array("/ld-".utf8)
    return head.indices.contains { head[$0...].starts(with: name) }
  }

  /// cirrus is cirrus_qemu in later kernels.
  private static let cardDrivers = ["virtio_gpu", "bochs", "cirrus", "cirrus_qemu", "qxl"]

  /// The line that loads a module. A card's driver may refuse to be (with nomodeset on the kernel's command line): the
  /// guest then is one without cards, and its console says so.
  func insertion(_ path: String) -> String {
    let name = KernelModules.name(of: path)
    let line = "$B insmod \(inside(path))"
    return Self.cardDrivers.contains(name) ? "\(line) || echo 'lab: the kernel did not take \(name)'" : line
  }

  private func inside(_ path: String) -> String {
    "/modules/\(KernelModules.name(of: path)).ko"
  }

  /// Everything that any lab needs, and what this one needs besides.
  private func modulePaths() throws(LabError) -> [String] {
    let modules = KernelModules(dependencies: try Files.text(kernel.modules + "/modules.dep"))
    for name in options.modules where !modules.contains(name) {
      throw LabError(.invalid, "kernel \(kernel.version) has no module \(name)")
    }
    var names = ["virtio_pci", "virtio_console", "9pnet_virtio", "9p", "overlay"]
    // Drivers of cards that may be added later, too: without udev nothing else would load them.
    names += Self.cardDrivers
    // ext4 asks for crc32c by name at mount; modules.dep does not know (it is a soft dependency).
    if options.needsBlockDevices { names += ["virtio_blk", "crc32c_generic", "ext4"] }
    return modules.loadOrder(names + options.modules)
  }

  /// Files for the real root go below /overlay, from where the script copies them.
  private func addOverlay(to archive: inout CpioArchive) throws(LabError) {
    archive.addDirectory("/overlay")
    for file in options.overlayFiles + systemFiles {
      let path = "/overlay/" + file.path.drop { $0 == "/" }
      switch file.content {
      case .bytes(let bytes): archive.addFile(path, bytes, mode: file.mode ?? 0o644)
      case .link(let target): archive.addLink(path, to: target)
      case .directory: archive.addDirectory(path, mode: file.mode ?? 0o755)
      case .hostFile(let source):
        let mode = file.mode ?? (Files.isExecutable(source) ? 0o755 : 0o644)
        archive.addFile(path, try Files.read(source), mode: mode)
      }
    }
  }

  /// In a full system the agent is a unit that starts as early as units can.
  private var systemFiles: [LabOptions.OverlayFile] {
    guard case .debian = options.root else { return [] }
    let unit = """
      [Unit]
      Description=Agent of the lab that this machine runs in
      DefaultDependencies=no
      Before=sysinit.target shutdown.target
      Conflicts=shutdown.target
      [Service]
      ExecStart=\(agent.joined(separator: " "))
      KillMode=process
      Restart=always
      OOMScoreAdjust=-1000
      """
    let directory = "/etc/systemd/system"
    return [
      .file("\(directory)/lab-agent.service", unit + "\n"),
      .link("\(directory)/sysinit.target.wants/lab-agent.service", to: "../lab-agent.service"),
    ]
  }

  /// The script stops at the first thing that fails; as process 1 that panics the kernel, which ends QEMU, and the
  /// lab shows the end of the console.
  private func script(modulePaths: [String]) -> String {
    var lines = [
      "#!/bin/busybox sh", "set -e", "B=/bin/busybox", "$B mount -t devtmpfs dev /dev", "$B mount -t proc proc /proc",
      "$B mount -t sysfs sys /sys",
    ]
    lines += ["echo 'lab: modules'"] + modulePaths.map(insertion) + ["echo 'lab: roots'"]
    lines += [
      "$B mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=524288,cache=loose host /host",
      "$B mount -t tmpfs -o mode=755 layer /layer", "$B mkdir /layer/data /layer/work",
    ]
    lines += rootLines
    lines += [
      "$B cp -a /overlay/. /root/", "$B mkdir -p /root/lib/modules/\(kernel.version)",
      "$B mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=524288,cache=loose modules "
        + "/root/lib/modules/\(kernel.version)",
    ]
    lines += ["echo 'lab: first program'"] + startLines
    return lines.joined(separator: "\n") + "\n"
  }

  private var rootLines: [String] {
    let overlay = "$B mount -t overlay -o upperdir=/layer/data,workdir=/layer/work,lowerdir="
    guard case .debian = options.root else { return [overlay + "/host overlay /root"] }
    return [
      "$B mount -t ext4 -o ro,noload /dev/vda /lower", overlay + "/lower overlay /root", "$B mkdir -p /root/host",
      "$B mount -o move /host /root/host",
    ]
  }

  private var startLines: [String] {
    let move = ["dev", "proc", "sys"].map { "$B mount -o move /\($0) /root/\($0)" }
    guard case .host = options.root else { return move + ["exec $B switch_root /root /sbin/init"] }
    return move + [
      "$B mkdir -p /root/dev/shm /root/dev/pts /root/run",
      "$B mount -t tmpfs -o mode=1777 shm /root/dev/shm", "$B mount -t devpts pts /root/dev/pts",
      "$B mount -t tmpfs -o mode=755 run /root/run",
      "$B mount -t debugfs debug /root/sys/kernel/debug", "$B hostname lab",
      "exec $B switch_root /root \(agent.joined(separator: " "))",
    ]
  }
}

extension LabOptions {
  fileprivate var needsBlockDevices: Bool {
    if case .debian = root { true } else { disk != nil }
  }
}
