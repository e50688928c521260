import Access
import Configuration
import Glibc
import Testing

@testable import Service

@Suite struct ControllerDoorTests {
  private func listen(_ text: String) throws -> ListenAddress { try #require(ListenAddress(parsing: text)) }

  @Test func `The command line opens a door, and goes before the file`() throws {
    guard case .run(let options) = try ServiceArguments.read(["--listen", "127.0.0.1:81", "--token-file=/t"]) else {
      Issue.record("it does not run")
      return
    }
    #expect(options.listen == (try listen("127.0.0.1:81")) && options.tokenFile == "/t")
    #expect(throws: ServiceArguments.UsageError.self) { try ServiceArguments.read(["--listen", "8080"]) }
  }

  @Test func `Without a token only this machine gets a door, and what makes a token is told`() throws {
    #expect(try ControllerSettings().door() == nil)
    #expect(try ControllerSettings(listen: listen("127.0.0.1:0")).door() != nil)
    for text in ["0.0.0.0:0", "*:8080", "192.0.2.1:80"] {
      #expect(throws: OpenDoorError.self) { try ControllerSettings(listen: listen(text)).door() }
    }
  }

  @Test func `A token file that is named must be right, on loopback, too`() throws {
    let settings = ControllerSettings(listen: try listen("127.0.0.1:0"), tokenFile: "/tmp/placard-no-token")
    #expect(throws: TokenFileError.self) { try settings.door() }
  }

  @Test(
    "The page's address is where it is bound, or what the settings say",
    arguments: [
      ("127.0.0.1:8080", nil, "http://127.0.0.1:8080/"), ("[::1]:80", nil, "http://[::1]:80/"),
      ("0.0.0.0:8080", "https://sign.example/", "https://sign.example/"),
    ] as [(String, String?, String)])
  func address(bound: String, said: String?, address: String) throws {
    #expect(ControllerSettings(address: said).pageAddress(try listen(bound)) == address)
    #expect(ControllerSettings(address: said).pageAddress(nil) == nil)
  }

  @Test func `Where it listens everywhere, the address is one that others may reach`() throws {
    let address = try #require(ControllerSettings().pageAddress(try listen("*:8080")))
    #expect(address.hasPrefix("http://") && address.hasSuffix(":8080/"))
    #expect(!address.contains("[::]") && !address.contains("0.0.0.0") && !address.contains("127.0.0.1"))
  }

  @Test func `The service may have more files open than shells let it`() {
    OpenFiles.allowMany()
    var limit = rlimit()
    #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    #expect(limit.rlim_cur >= min(4096, limit.rlim_max))
  }
}
