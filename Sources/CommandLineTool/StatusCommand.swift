import ArgumentParser
import Control
import ControlClient

struct StatusCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tells how the service is.",
    discussion: """
      Example:
        placard status
      """)

  @OptionGroup var service: ServiceOptions

  @Flag(help: "JSON instead of text.")
  var json = false

  func run(on console: any Console) async throws(Failure) {
    let status = try await service.ask { client throws(ClientError) in try await client.status() }
    try console.print(json ? JSONText.pretty(status) : Self.lines(status).joined(separator: "\n"))
  }

  static func lines(_ status: ServiceStatus) -> [String] {
    let head = "placardd \(status.version), process \(status.pid), backend \(status.backend)"
    let displays = "\(status.connected) connected, \(status.lit) lit"
    let storage = status.storage.map { ["storage: \($0)"] } ?? []
    return ([head, displays] + storage + status.problems.map { "problem: \($0)" }).map(Table.printable)
  }
}
