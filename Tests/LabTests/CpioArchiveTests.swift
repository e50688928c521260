import Testing

@testable import Lab

struct CpioArchiveTests {
  @Test func `a file in the archive has the bytes of the newc format`() {
    var archive = CpioArchive()
    archive.addFile("/a", [1, 2, 3, 4, 5], mode: 0o755)
    let bytes = archive.finished()
    let header =
      "070701" + "00000001"  // magic, inode
      + "000081ed" + "00000000" + "00000000"  // mode: a file, 0755; user, group
      + "00000001" + "00000000" + "00000005"  // links, time, size
      + "00000000" + "00000000" + "00000000" + "00000000"  // devices
      + "00000002" + "00000000"  // length of the name, checksum (none)
    #expect(Array(bytes[..<110]) == Array(header.utf8))
    #expect(Array(bytes[110..<112]) == Array("a\0".utf8))
    #expect(Array(bytes[112..<120]) == [1, 2, 3, 4, 5, 0, 0, 0])
    #expect(String(decoding: bytes[120..<126], as: UTF8.self) == "070701")
    #expect(String(decoding: bytes[230..<240], as: UTF8.self) == "TRAILER!!!")
    #expect(bytes.count == 512)
  }

  @Test func `parent directories come first, each once`() {
    var archive = CpioArchive()
    archive.addFile("/etc/systemd/system/a.service", [])
    archive.addLink("/etc/systemd/b", to: "system/a.service")
    let text = String(decoding: archive.finished(), as: UTF8.self)
    let names = text.split(separator: "\0").compactMap { part -> String? in
      guard let start = part.lastIndex(of: "0") else { return nil }
      let name = part[part.index(after: start)...]
      return name.hasPrefix("etc") ? String(name) : nil
    }
    #expect(names == ["etc", "etc/systemd", "etc/systemd/system", "etc/systemd/system/a.service", "etc/systemd/b"])
  }
}
