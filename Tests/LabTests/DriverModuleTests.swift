import Testing
import USBDisplays

@testable import Lab

/// The build of a driver that Debian does not include.
struct DriverModuleTests {
  @Test func `the headers need two packages and the build tools, without the compiler`() throws {
    let needed = ["linux-headers-6.1.0-56-common", "linux-kbuild-6.1", "linux-compiler-gcc-12-x86"]
    #expect(
      try DriverModule.headerPackages("linux-headers-6.1.0-56-amd64", needing: needed)
        == ["linux-headers-6.1.0-56-amd64", "linux-headers-6.1.0-56-common", "linux-kbuild-6.1"])
    #expect(throws: LabError(.missing, "apt has no package linux-headers-9")) {
      try DriverModule.headerPackages("linux-headers-9", needing: [])
    }
  }

  @Test func `the source is that of the kernel's first two version numbers`() throws {
    #expect(try DriverModule.sourcePackage("6.1.0-56-amd64") == "linux-source-6.1")
    #expect(try DriverModule.sourcePackage("6.12.57+deb13-amd64") == "linux-source-6.12")
    #expect(throws: LabError.self) { try DriverModule.sourcePackage("unstable") }
  }

  @Test func `makefiles find the included makefiles where they were unpacked`() {
    #expect(
      DriverModule.moved("include /usr/src/common/Makefile\n", below: "/w") == "include /w/usr/src/common/Makefile\n")
    #expect(
      DriverModule.moved("KBUILD_OUTPUT=/usr/src/a\ninclude /usr/lib/b\n/usr/src/c", below: "/w")
        == "KBUILD_OUTPUT=/w/usr/src/a\ninclude /w/usr/lib/b\n/w/usr/src/c")
    #expect(DriverModule.moved("CC = gcc-12 # /usr", below: "/w") == "CC = gcc-12 # /usr")
  }

  @Test func `connectors are distinguished by the kernel's order`() throws {
    let entries = [
      "card0-HDMI-A-2", "card1", "card1-HDMI-A-3", "card1-HDMI-A-1", "card1-DP-1", "card10-DP-2", "version",
    ]
    #expect(
      try Lab.connectorNames([.hdmi, .displayPort, .hdmi], of: "card1", in: entries)
        == ["HDMI-A-1", "DP-1", "HDMI-A-3"])
    #expect(throws: LabError.self) { try Lab.connectorNames([.vga], of: "card1", in: entries) }
  }
}
