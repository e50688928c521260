import Access
import Configuration
import Glibc
import Testing

@testable import Service

@Suite struct ControllerListenerTests {
  private func listen(_ text: String) throws -> ListenAddress { try #require(ListenAddress(parsing: text)) }

  @Test func `the command line can set the listener, and overrides the file`() throws {
    guard case .run(let options) = try ServiceArguments.read(["--listen", "127.0.0.1:81", "--token-file=/t"]) else {
      Issue.record("the listener is closed")
      return
    }
    #expect(options.listen == (try listen("127.0.0.1:81")) && options.tokenFile == "/t")
    #expect(throws: ServiceArguments.UsageError.self) { try ServiceArguments.read(["--listen", "8080"]) }
  }

  @Test func `without a token only loopback gets a listener, and the error says how to create a token`() throws {
    #expect(try ControllerSettings().listener() == nil)
    #expect(try ControllerSettings(listen: listen("127.0.0.1:0")).listener() != nil)
    for text in ["0.0.0.0:0", "*:8080", "192.0.2.1:80"] {
      #expect(throws: OpenListenerError.self) { try ControllerSettings(listen: listen(text)).listener() }
    }
  }

  @Test func `a configured token file must be valid, even for loopback`() throws {
    let settings = ControllerSettings(listen: try listen("127.0.0.1:0"), tokenFile: "/tmp/placard-no-token")
    #expect(throws: TokenFileError.self) { try settings.listener() }
  }

  @Test(
    "The page's address is the listener's, or the one in the settings",
    arguments: [
      ("127.0.0.1:8080", nil, "http://127.0.0.1:8080/"), ("[::1]:80", nil, "http://[::1]:80/"),
      ("0.0.0.0:8080", "https://sign.example/", "https://sign.example/"),
    ] as [(String, String?, String)])
  func address(bound: String, said: String?, address: String) throws {
    #expect(ControllerSettings(address: said).pageAddress(try listen(bound)) == address)
    #expect(ControllerSettings(address: said).pageAddress(nil) == nil)
  }

  @Test func `a listener on all addresses is reported with an address that other machines can reach`() throws {
    let address = try #require(ControllerSettings().pageAddress(try listen("*:8080")))
    #expect(address.hasPrefix("http://") && address.hasSuffix(":8080/"))
    #expect(!address.contains("[::]") && !address.contains("0.0.0.0") && !address.contains("127.0.0.1"))
  }

  @Test func `the service raises its limit of open files above the shell's`() {
    OpenFiles.allowMany()
    var limit = rlimit()
    #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    #expect(limit.rlim_cur >= min(4096, limit.rlim_max))
  }
}
