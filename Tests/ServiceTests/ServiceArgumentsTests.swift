import Configuration
import Displays
import Service
import Testing

struct ServiceArgumentsTests {
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

  @Test func `No argument leaves everything to the file`() throws {
    let options = try options()
    #expect(options.configuration == nil && options.socket == nil && options.backend == nil)
    #expect(options.policy == nil && options.message == nil && options.logLevel == nil)
    #expect(options.isAtomicAllowed)
  }

  @Test func `Values come after a space or an equals sign, and the last one counts`() throws {
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

  @Test func `A value may look like an option, and be empty`() throws {
    #expect(try options("--message", "--help").message == "--help")
    #expect(try options("--message=").message == "")
  }

  @Test func `Help names every option, and the version stands alone`() throws {
    let help = try text("--backend", "kms", "-h")
    for name in ["config", "socket", "backend", "policy", "message", "no-atomic", "log", "version", "help"] {
      #expect(help.contains("--" + name), "\(name)")
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try text("--version") == Service.version)
  }

  @Test func `What cannot be followed is named, with what can`() {
    #expect(refusal("--bogus") == "placardd knows no '--bogus'; its options are listed by placardd --help")
    #expect(refusal("Hello") == "placardd knows no 'Hello'; its options are listed by placardd --help")
    #expect(refusal("--socket") == "--socket needs a value: --socket <path>")
    #expect(refusal("--no-atomic=yes") == "--no-atomic takes no value")
    #expect(refusal("--backend", "x11") == "--backend cannot be 'x11': Which displays to drive: auto, kms or virtual.")
    #expect(refusal("--policy", "huge")?.contains("legible, native, halve-above-1080p") == true)
    #expect(refusal("--log=loud")?.contains("warning, error or critical") == true)
  }
}
