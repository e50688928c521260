import ArgumentParser
import Control
import ControlClient

struct StatusCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Prints the state of the service.",
    usage: "placard status [<options>]",
    discussion: """
      Example:
        placard status
      """)

  @OptionGroup var service: ServiceOptions

  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    let status = try await service.ask { client throws(ClientError) in try await client.status() }
    try console.report(status, output) { Self.lines(status, $0) }
  }

  static func lines(_ status: ServiceStatus, _ style: OutputStyle) -> [String] {
    let head = "placardd \(status.version), process \(status.pid), backend \(status.backend.rawValue)"
    let displays = "\(status.connected) connected, \(status.lit) lit"
    let storage = status.storage.map { ["storage: \($0)"] } ?? []
    let page = ["page: \(status.address ?? "none; `listen` in the configuration gives it an address")"]
    let bridges = (status.bridges ?? []).map { bridge in
      let line = Table.printable("\(bridge.name): \(bridge.state.rawValue), \(bridge.detail)")
      return bridge.state == .connected ? line : style.paint(line, .bad)
    }
    let problems = status.problems.map { style.paint(Table.printable("problem: \($0)"), .bad) }
    return ([head, displays] + page + storage).map(Table.printable) + bridges + problems
  }
}
