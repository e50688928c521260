import Configuration
import Displays
import Glibc
import Service
import Testing

/// getopt_long(3) is not thread-safe.
@Suite(.serialized) struct ServiceArgumentsTests {
  private func options(_ arguments: String...) throws -> ServiceOptions {
    guard case .run(let options) = try ServiceArguments.read(arguments) else { throw NotRun() }
    return options
  }

  private func text(_ arguments: String...) throws -> String {
    guard case .print(let text) = try ServiceArguments.read(arguments) else { throw NotRun() }
    return text
  }

  private func refusal(_ arguments: String...) -> String? {
    do throws(ServiceArguments.UsageError) {
      _ = try ServiceArguments.read(arguments)
      return nil
    } catch { return error.description }
  }

  private struct NotRun: Error {}

  @Test func `without arguments the file decides everything`() throws {
    let options = try options()
    #expect(options.configuration == nil && options.socket == nil && options.backend == nil)
    #expect(options.policy == nil && options.message == nil && options.logLevel == nil)
    #expect(options.isAtomicAllowed)
    #expect(options.storage == nil && !options.sleepsOnHostSuspend)
  }

  @Test func `the state file and sleep with the machine can be set on the command line`() throws {
    let options = try options("--state=/tmp/placard.db", "--on-host-suspend")
    #expect(options.storage == .file("/tmp/placard.db") && options.sleepsOnHostSuspend)
    #expect(try self.options("--state", "none").storage == .memory)
    #expect(refusal("--state", "here.db")?.contains("absolute path, or none") == true)
    #expect(refusal("--state", "/var/lib/")?.hasPrefix("--state cannot be '/var/lib/'") == true)
  }

  @Test func `a recording can be requested on the command line, and options without their file are refused`() throws {
    let options = try options("--record", "kiosk.jsonl", "--mask-serials")
    #expect(options.record == "kiosk.jsonl" && options.masksSerials)
    guard case .replay(let replay, let file) = try ServiceArguments.read(["--replay", "a", "--json"]) else {
      throw NotRun()
    }
    #expect(file == "a" && replay.isJSON)
    #expect(refusal("--mask-serials")?.contains("requires --record <file>") == true)
    #expect(refusal("--json")?.contains("requires --replay <file>") == true)
  }

  @Test func `options override the file`() throws {
    var options = ServiceOptions(configuration: try file("state = 'none'"))
    #expect(try options.settings().storage == .memory)
    (options.storage, options.sleepsOnHostSuspend) = (.file("/a.db"), true)
    let settings = try options.settings()
    #expect(settings.storage == .file("/a.db") && settings.sleepsOnHostSuspend)
  }

  private func file(_ text: String) throws -> String {
    let path = "/tmp/placard-options-\(getpid()).toml"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    return path
  }

  @Test func `values follow a space or an equals sign, and the last one counts`() throws {
    let options = try options(
      "--config", "/a.toml", "--socket=/run/x.sock", "--backend", "kms", "--policy=1920x1080@60", "--message=a=b",
      "--no-atomic", "--log", "info", "--log=debug")
    #expect(options.configuration == "/a.toml")
    #expect(options.socket == "/run/x.sock")
    #expect(options.backend == .kms)
    #expect(options.policy == ModePolicy(parsing: "1920x1080@60"))
    #expect(options.message == "a=b")
    #expect(!options.isAtomicAllowed)
    #expect(options.logLevel == .debug)
  }

  @Test func `an option may be abbreviated as long as only one has the prefix`() throws {
    #expect(try options("--mess", "Hi").message == "Hi")
    #expect(try options("--back=kms").backend == .kms)
  }

  @Test func `a value may look like an option, or be empty`() throws {
    #expect(try options("--message", "--help").message == "--help")
    #expect(try options("--config=").configuration == "")
    #expect(refusal("--message=")?.hasPrefix("--message cannot be ''") == true)
  }

  @Test func `the help names every option, and the version is printed alone`() throws {
    let help = try text("--backend", "kms", "-h")
    for name in [
      "config", "socket", "backend", "policy", "message", "state", "on-host-suspend", "no-atomic", "log", "version",
      "help",
    ] {
      #expect(help.contains("--" + name), "\(name)")
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try text("--version") == Service.version)
  }

  @Test func `an invalid argument is named, together with the valid ones`() {
    #expect(refusal("--bogus") == "unknown option '--bogus'; placardd --help lists the options")
    #expect(refusal("Hello") == "unknown option 'Hello'; placardd --help lists the options")
    #expect(refusal("--", "--json") == "unknown option '--json'; placardd --help lists the options")
    #expect(refusal("-x") == "unknown option '-x'; placardd --help lists the options")
    #expect(refusal("--m", "x") == "unknown option '--m'; placardd --help lists the options")
    #expect(refusal("--socket") == "--socket needs a value: --socket <path>")
    #expect(refusal("--no-atomic=yes") == "--no-atomic takes no value")
    #expect(refusal("--backend", "x11") == "--backend cannot be 'x11': Which displays to drive: auto, kms or virtual.")
    #expect(refusal("--policy", "huge")?.contains("legible, native, halve-above-1080p") == true)
    #expect(refusal("--log=loud")?.contains("warning, error or critical") == true)
  }
}
