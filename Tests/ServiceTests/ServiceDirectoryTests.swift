import Configuration
import Glibc
import Testing

@testable import Service

struct ServiceDirectoryTests {
  @Test(
    arguments: [
      (["CACHE_DIRECTORY": "/var/cache/placard:/other", "HOME": "/root"], "/var/cache/placard"),
      (["CACHE_DIRECTORY": "relative", "XDG_CACHE_HOME": "/c", "HOME": "/root"], "/c/placard"),
      (["CACHE_DIRECTORY": "", "XDG_CACHE_HOME": "no", "HOME": "/root"], "/root/.cache/placard"),
      (["HOME": "here"], nil), ([:], nil),
    ] as [([String: String], String?)])
  func `the first directory that the environment names is used`(environment: [String: String], expected: String?) {
    #expect(ServiceDirectory.cache.path { environment[$0] } == expected)
  }

  @Test(
    arguments: [
      (["STATE_DIRECTORY": "/var/lib/placard", "HOME": "/root"], "/var/lib/placard"),
      (["XDG_STATE_HOME": "/s", "CACHE_DIRECTORY": "/var/cache/placard"], "/s/placard"),
      (["HOME": "/root"], "/root/.local/state/placard"), ([:], nil),
    ] as [([String: String], String?)])
  func `the state has its own directories`(environment: [String: String], expected: String?) {
    #expect(ServiceDirectory.state.path { environment[$0] } == expected)
  }

  @Test func `the folder of a configured archive is created, except where a disk may be mounted later`() throws {
    var name = Array("/tmp/placard-state-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&name) != nil)
    let root = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { for folder in ["/new/state", "/new", "/used", ""] { unsafe rmdir(root + folder) } }
    #expect(Storage.file("\(root)/new/state/a.db").preparedPath() == "\(root)/new/state/a.db")
    #expect(unsafe access("\(root)/new", F_OK) != 0, "an empty folder may be a mount point")
    try #require(unsafe mkdir("\(root)/used", 0o700) == 0)
    #expect(Storage.file("\(root)/new/state/a.db").preparedPath() == "\(root)/new/state/a.db")
    #expect(unsafe access("\(root)/new/state", F_OK) == 0)
  }

  @Test func `the archive is at the configured path`() {
    #expect(Storage.file("/tmp/a.db").path == "/tmp/a.db")
    #expect(Storage.memory.path == nil)
    #expect(Storage.usual.path?.hasSuffix("/placard.db") ?? true)
  }
}
