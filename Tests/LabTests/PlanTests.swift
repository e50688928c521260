import Testing

@testable import Lab

/// The preparations of a lab before QEMU starts: kernels, modules, command lines, package sources.
struct PlanTests {
  @Test func `modules are loaded after their dependencies`() {
    let modules = KernelModules(
      dependencies: """
        kernel/fs/9p/9p.ko: kernel/net/9p/9pnet.ko kernel/fs/netfs/netfs.ko kernel/fs/fscache/fscache.ko
        kernel/fs/fscache/fscache.ko: kernel/fs/netfs/netfs.ko
        kernel/fs/netfs/netfs.ko:
        kernel/net/9p/9pnet.ko:
        kernel/drivers/virtio/virtio-pci.ko.xz:
        """)
    #expect(
      modules.loadOrder(["virtio_pci", "9p", "built_in", "netfs"]) == [
        "kernel/drivers/virtio/virtio-pci.ko.xz", "kernel/fs/fscache/fscache.ko", "kernel/fs/netfs/netfs.ko",
        "kernel/net/9p/9pnet.ko", "kernel/fs/9p/9p.ko",
      ])
    #expect(modules.contains("virtio-pci"))
    #expect(!modules.contains("built_in"))
  }

  @Test func `the kernel package is the dependency of the metapackage`() throws {
    let depends = """
      linux-image-amd64
        PreDepends: linux-base
       |Depends: dracut
        Depends: linux-base-amd64
        Depends: linux-image-7.2.13+deb14-amd64
        Breaks: initramfs-tools

      """
    let needed = DebianPackages.dependencies(in: depends)
    #expect(needed == ["linux-base-amd64", "linux-image-7.2.13+deb14-amd64"])
    #expect(
      try KernelImage.imagePackage(behind: "linux-image-amd64", needing: needed) == "linux-image-7.2.13+deb14-amd64")
    for none in [[], ["linux-image-6.1.0-56-cloud-amd64"]] {
      #expect(throws: LabError(.missing, "apt has no kernel image for x; as root: apt-get update")) {
        try KernelImage.imagePackage(behind: "x", needing: none)
      }
    }
  }

  @Test func `a kernel's parts are its package and the packages split from it`() {
    #expect(
      KernelImage.parts(of: "linux-image-6.1.0-56-amd64", needing: ["kmod", "linux-base"])
        == ["linux-image-6.1.0-56-amd64"])
    #expect(
      KernelImage.parts(
        of: "linux-image-7.2", needing: ["linux-base-7.2", "linux-binary-7.2", "linux-modules-7.2", "dracut"])
        == ["linux-image-7.2", "linux-binary-7.2", "linux-modules-7.2"])
  }

  @Test func `a kernel's series is its first two version numbers`() {
    #expect(KernelImage.isVersion("6.12.117+deb12-amd64", of: "6.12"))
    #expect(!KernelImage.isVersion("6.12.117+deb12-amd64", of: "6.1"))
    for series in ["6", "6.1.0", "6.", "6.x", "../6.1"] {
      #expect(throws: LabError.self) { try KernelImage.cached(series: series) }
    }
  }

  @Test func `apt's mirror is found in both of its formats`() {
    let deb822 = """
      Types: deb
      # a comment
      URIs: http://mirror.example/debian
      Suites: bookworm bookworm-updates
      Components: main

      Types: deb
      URIs: http://mirror.example/debian-security
      Suites: bookworm-security
      """
    #expect(DebianSource.mirror(for: "bookworm", in: deb822) == "http://mirror.example/debian")
    #expect(DebianSource.mirror(for: "trixie", in: deb822) == nil)
    let oneLine = """
      deb http://other.example/apt tool main
      deb [signed-by=/x arch=amd64] https://mirror.example/debian/ bookworm main
      """
    #expect(DebianSource.mirror(for: "bookworm", in: oneLine) == "https://mirror.example/debian/")
  }

  @Test func `only a Debian release can be copied`() throws {
    #expect(try DebianSource.codename(osRelease: "ID=debian\nVERSION_CODENAME=\"bookworm\"\n") == "bookworm")
    #expect(throws: LabError.self) { try DebianSource.codename(osRelease: "ID=fedora\nVERSION_CODENAME=x\n") }
    #expect(throws: LabError.self) { try DebianSource.codename(osRelease: "ID=debian\n") }
  }

  private func command(_ options: LabOptions) -> QEMUCommand {
    QEMUCommand(
      options: options, name: "a", directory: "/run/a,b", kernel: KernelImage(version: "6", directory: "/k"),
      ramDisk: "/r", qmpDescriptor: 64, portDescriptors: [65, 66])
  }

  @Test func `QEMU gets the card, the ports and a kernel command line that ends on a panic`() {
    var options = LabOptions()
    options.card = .virtioGPU(outputs: 3, edid: false)
    options.kernelArguments = ["drm.debug=4"]
    let arguments = command(options).arguments
    #expect(arguments.contains("virtio-gpu-pci,id=gpu,max_outputs=3,edid=off"))
    #expect(arguments.contains("virtserialport,chardev=port1,name=lab.port.1"))
    #expect(arguments.contains("file,id=console,path=/run/a,,b/console.log"))
    #expect(
      arguments.contains { $0.hasSuffix("panic=-1 random.trust_cpu=on nokaslr norandmaps no_timer_check drm.debug=4") })
    #expect(arguments.contains("-no-reboot") && arguments.contains("-S"))
  }

  @Test func `the guest's own disk follows the Debian's disk and honors flushes`() throws {
    var options = LabOptions()
    #expect(!command(options).arguments.contains { $0.hasPrefix("virtio-blk-pci") })
    options.disk = "/a,b.img"
    #expect(command(options).arguments.contains("file=/a,,b.img,format=raw,if=none,id=disk,cache=writeback"))
    #expect(options.diskDevice == "/dev/vda")
    options.root = .debian(RootFS(image: "/root.img"))
    #expect(command(options).arguments.filter { $0.hasPrefix("virtio-blk-pci") }.last == "virtio-blk-pci,drive=disk")
    #expect(options.diskDevice == "/dev/vdb")
  }

  @Test(arguments: [
    (LabOptions.Card.bochs, "bochs-display,id=gpu"), (.vga, "VGA,id=gpu"), (.cirrus, "cirrus-vga,id=gpu"),
    (.qxl, "qxl-vga,id=gpu"),
  ])
  func `other cards are one device each`(card: LabOptions.Card, device: String) {
    var options = LabOptions()
    options.card = card
    #expect(command(options).arguments.suffix(2) == ["-device", device])
  }

  @Test func `invalid options are refused before anything starts`() {
    var options = LabOptions()
    options.card = .virtioGPU(outputs: 17)
    #expect(throws: LabError.self) { try LabPlan(options) }
    options.card = .cirrus
    options.monitors[0] = (640, 480)
    #expect(throws: LabError.self) { try LabPlan(options) }
    options = LabOptions()
    options.monitors[4] = (640, 480)
    #expect(throws: LabError.self) { try LabPlan(options) }
    for name in ["", "a/b", "..", String(repeating: "x", count: 49)] {
      #expect(throws: LabError.self) { try LabDirectory.existing(name: name) }
    }
  }

  @Test func `only a card's driver may fail to load`() {
    let kernel = KernelImage(version: "6", directory: "/k")
    let initramfs = Initramfs(options: LabOptions(), kernel: kernel, agent: [])
    #expect(initramfs.insertion("kernel/fs/9p/9p.ko.xz") == "$B insmod /modules/9p.ko")
    #expect(
      initramfs.insertion("kernel/drivers/gpu/drm/tiny/bochs.ko")
        == "$B insmod /modules/bochs.ko || echo 'lab: the kernel rejected bochs'")
  }

  @Test func `a dynamically linked busybox is distinguished from a static one`() throws {
    let start = [UInt8](repeating: 0, count: 800)
    #expect(Initramfs.needsLoader(start + Array("/lib64/ld-linux-x86-64.so.2".utf8) + start))
    #expect(!Initramfs.needsLoader(start + start))
    #expect(Initramfs.needsLoader(try Files.read("/bin/sh")))
  }

  @Test func `a missing program is named with its package`() {
    let tool = HostTool(name: "no-such-program", package: "no-such-package")
    #expect(throws: LabError(.missing, "no-such-program is not installed; as root: apt-get install no-such-package")) {
      try tool.find()
    }
  }

  @Test func `the key of a root depends on its packages`() {
    #expect(RootFS.key(of: []) == "cbf29ce484222325")
    #expect(RootFS.key(of: ["a"]) == "af63dc4c8601ec8c")
    #expect(throws: LabError.self) { try RootFS.debian(packages: ["--evil"]) }
    #expect(throws: LabError.self) { try RootFS.debian(packages: ["a,b"]) }
  }
}
