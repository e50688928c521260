/// The command line of QEMU for a lab, as a pure function of its configuration.
struct QEMUCommand {
  /// The prefix of the names of the guest's ports.
  static let portPrefix = "lab.port."
  /// The number of ports, which limits the programs that can be connected to a lab at the same time.
  static let portCount = 8
  /// The device ID of the first card.
  ///
  /// Added cards are named "card1", "card2" and so on.
  static let cardID = "gpu"

  var options: LabOptions
  var name: String
  /// The lab's directory, in which QEMU creates console.log.
  var directory: String
  var kernel: KernelImage
  /// The path of the initramfs.
  var ramDisk: String
  /// The descriptor number in QEMU of the listening QMP socket.
  ///
  /// The ports' sockets follow.
  var qmpDescriptor: Int32
  var portDescriptors: [Int32]

  var arguments: [String] {
    machine + console + shares + root + disk + card + options.qemuArguments
  }

  private var machine: [String] {
    [
      "-name", QEMUCommand.escaped("placard-lab-" + name), "-machine", "pc", "-accel", "tcg,thread=multi", "-cpu",
      "max",
      "-smp", "\(options.processors)", "-m", "\(options.memory)", "-nodefaults", "-no-user-config", "-no-reboot", "-S",
      "-vga", "none", "-display", "dbus,p2p=yes", "-kernel", kernel.image, "-initrd", ramDisk, "-append",
      kernelCommandLine,
    ]
  }

  /// The kernel's command line.
  ///
  /// On a busy host the kernel's check of the timer can fail, although it works: no_timer_check skips it.
  /// With panic=-1 and -no-reboot, QEMU exits when the guest's kernel or first program dies, so the lab notices at
  /// once. With nokaslr, the instruction pointers from `Lab.processors` match the kernel's System.map. With norandmaps,
  /// a program has the same addresses at each start, so that an emulator translates its code once.
  var kernelCommandLine: String {
    let own = [
      "console=tty0", "console=ttyS0", "loglevel=4", "panic=-1", "random.trust_cpu=on", "nokaslr", "norandmaps",
      "no_timer_check",
    ]
    return (own + options.kernelArguments).joined(separator: " ")
  }

  private var console: [String] {
    var list = [
      "-chardev", "file,id=console,path=\(QEMUCommand.escaped(directory + "/console.log"))", "-serial",
      "chardev:console", "-chardev", "socket,id=qmp,fd=\(qmpDescriptor),server=on,wait=off", "-mon",
      "chardev=qmp,mode=control", "-device", "virtio-serial-pci,max_ports=\(QEMUCommand.portCount + 1)",
    ]
    for (index, descriptor) in portDescriptors.enumerated() {
      list += ["-chardev", "socket,id=port\(index),fd=\(descriptor),server=on,wait=off"]
      list += ["-device", "virtserialport,chardev=port\(index),name=\(QEMUCommand.portPrefix)\(index)"]
    }
    return list
  }

  private var shares: [String] {
    share("host", "/") + share("modules", kernel.modules)
  }

  private func share(_ tag: String, _ path: String) -> [String] {
    let path = QEMUCommand.escaped(path)
    return [
      "-fsdev", "local,id=\(tag),path=\(path),security_model=none,readonly=on,multidevs=remap", "-device",
      "virtio-9p-pci,fsdev=\(tag),mount_tag=\(tag)",
    ]
  }

  private var root: [String] {
    guard case .debian(let root) = options.root else { return [] }
    return [
      "-drive", "file=\(QEMUCommand.escaped(root.image)),format=raw,if=none,id=root,readonly=on", "-device",
      "virtio-blk-pci,drive=root",
    ]
  }

  /// The options of the guest's disk.
  ///
  /// Data that the guest has written is in the host's page cache, which outlives QEMU. Therefore `Lab.cutPower` only
  /// loses data in the memory of the guest's kernel, and no flushed data. cache=writeback is QEMU's default: a flush in
  /// the guest is an fdatasync of the image.
  private var disk: [String] {
    guard let disk = options.disk else { return [] }
    return [
      "-drive", "file=\(QEMUCommand.escaped(disk)),format=raw,if=none,id=disk,cache=writeback", "-device",
      "virtio-blk-pci,drive=disk",
    ]
  }

  private var card: [String] {
    switch options.card {
    case .virtioGPU(let outputs, let edid):
      ["-device", "virtio-gpu-pci,id=\(QEMUCommand.cardID),max_outputs=\(outputs),edid=\(edid ? "on" : "off")"]
    case .bochs: ["-device", "bochs-display,id=\(QEMUCommand.cardID)"]
    case .vga: ["-device", "VGA,id=\(QEMUCommand.cardID)"]
    case .cirrus: ["-device", "cirrus-vga,id=\(QEMUCommand.cardID)"]
    case .qxl: ["-device", "qxl-vga,id=\(QEMUCommand.cardID)"]
    case .none: []
    }
  }

  /// Doubles commas, which QEMU requires inside option values.
  static func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == "," ? [",", ","] : [$0] })
  }
}
