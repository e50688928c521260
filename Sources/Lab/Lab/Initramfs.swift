/// The guest's initramfs: busybox, the kernel modules, and the script that sets up the real root.
struct Initramfs {
  var options: LabOptions
  var kernel: KernelImage
  /// The command line of the agent, with paths in the guest's root.
  var agent: [String]

  /// Returns the archive for QEMU's -initrd.
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

  /// Returns the statically linked busybox.
  ///
  /// Debian's package busybox has a program of the same name, but it needs shared libraries, which the initramfs lacks.
  private static func busybox() throws(LabError) -> [UInt8] {
    let path = try HostTool.busybox.find()
    let bytes = try Files.read(path)
    guard !needsLoader(bytes) else {
      throw LabError(.missing, "\(path) is not statically linked; as root: apt-get install busybox-static")
    }
    return bytes
  }

  /// Returns whether a program needs a dynamic loader, whose path is near the start of the file (PT_INTERP).
  static func needsLoader(_ program: [UInt8]) -> Bool {
    let head = program.prefix(8192)
    let name = Array("/ld-".utf8)
    return head.indices.contains { head[$0...].starts(with: name) }
  }

  /// The drivers of graphics cards.
  ///
  /// Later kernels renamed cirrus to cirrus_qemu.
  private static let cardDrivers = ["virtio_gpu", "bochs", "cirrus", "cirrus_qemu", "qxl"]

  /// Returns the script line that loads a module.
  ///
  /// A graphics driver may refuse to load, for example with nomodeset. The guest then boots without cards, and its
  /// console contains a message.
  func insertion(_ path: String) -> String {
    let name = KernelModules.name(of: path)
    let line = "$B insmod \(inside(path))"
    return Self.cardDrivers.contains(name) ? "\(line) || echo 'lab: the kernel rejected \(name)'" : line
  }

  private func inside(_ path: String) -> String {
    "/modules/\(KernelModules.name(of: path)).ko"
  }

  /// Returns the modules that every lab needs and those that this one needs in addition, in load order.
  private func modulePaths() throws(LabError) -> [String] {
    let modules = KernelModules(dependencies: try Files.text(kernel.modules + "/modules.dep"))
    for name in options.modules where !modules.contains(name) {
      throw LabError(.invalid, "kernel \(kernel.version) has no module \(name)")
    }
    var names = ["virtio_pci", "virtio_console", "9pnet_virtio", "9p", "overlay"]
    // Include drivers for cards that may be added later: without udev, nothing else would load them.
    names += Self.cardDrivers
    // ext4 requests crc32c by name at mount. It is a soft dependency, which modules.dep does not contain.
    if options.needsBlockDevices { names += ["virtio_blk", "crc32c_generic", "ext4"] }
    return modules.loadOrder(names + options.modules)
  }

  /// Adds files for the real root below /overlay, from where the script copies them.
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

  /// The agent's unit for a full system, which starts as early as units can.
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

  /// Returns the init script.
  ///
  /// It stops at the first failure. The exit of process 1 panics the kernel, which ends QEMU. The lab then reports the
  /// end of the console.
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
