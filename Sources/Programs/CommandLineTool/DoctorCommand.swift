import ArgumentParser
import Control
import ControlClient
import Doctor
import NIOCore
import NIOPosix

struct DoctorCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Finds out why a monitor stays dark, and prints what to do.",
    usage: "placard doctor [<options>]",
    discussion: """
      It checks, in this order: the service, the graphics cards, the permission to
      open them, their DRM master, the connectors, the monitors' EDIDs, the modes,
      fonts, the virtual terminal, the kernel's command line, the disk, and time
      zones. It changes nothing, and works without the service. As root it checks
      more.

      Examples:
        placard doctor
        sudo placard doctor --json

      Exit status: 0 if nothing is wrong, otherwise 1.
      """)

  @OptionGroup var service: ServiceOptions

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The root directory of the machine to check.", visibility: .hidden))
  var root = ""

  func run(on console: any Console) async throws(Failure) {
    let client = try service.client(environment: console.environment, warn: console.complain)
    guard case .socket(let path) = client.address else {
      throw Failure(
        .refused, "placard doctor checks only its own machine: run it on the service's machine, without a URL.")
    }
    let answer = await ask(client, within: .seconds(try service.limit(environment: console.environment)))
    let diagnosis = Diagnosis(MachineInspector(root: root).inspect(answer, socket: path))
    try console.report(diagnosis, output) { DoctorText(style: $0).lines(diagnosis) }
    if !diagnosis.healthy { throw Failure(.refused, "") }
  }

  /// Returns the service's status and displays, or `.silent` after the time limit.
  private func ask(_ client: PlacardClient, within limit: Duration) async -> ServiceAnswer {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (answers, answer) = AsyncStream.makeStream(of: ServiceAnswer.self)
    let late = loop.scheduleTask(in: TimeAmount(limit)) { _ = answer.yield(.silent) }
    let asking = Task { answer.yield(await view(client, within: limit)) }
    defer {
      late.cancel()
      asking.cancel()
    }
    for await first in answers { return first }
    return .silent
  }

  private func view(_ client: PlacardClient, within limit: Duration) async -> ServiceAnswer {
    do throws(ClientError) {
      var view = ServiceView(status: try await client.status(), displays: try await settled(client, within: limit / 2))
      for display in view.displays where display.state != .disconnected {
        // A monitor that has been unplugged in the meantime has no reasons.
        view.reasons[display.name] = try? await client.why(display.name)
      }
      return .answers(view)
    } catch {
      switch error {
      case .noService: return .absent
      case .notPermitted: return .notPermitted
      case .noAnswer, .queueFull: return .silent
      case .refused, .protocolError, .unreachable, .badAddress, .tokenRequired: return .broken("\(error)")
      }
    }
  }

  /// Returns the displays once none is in the state `lighting`, or after the limit.
  private func settled(_ client: PlacardClient, within limit: Duration) async throws(ClientError) -> [DisplayReport] {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let end = ContinuousClock.now + limit
    var displays = try await client.displays()
    // A display whose mode is being retried is neither lit nor dark.
    while ContinuousClock.now < end, displays.contains(where: { $0.state == .lighting }), !Task.isCancelled {
      try? await loop.scheduleTask(in: .milliseconds(100)) {}.futureResult.get()
      displays = try await client.displays()
    }
    return displays
  }
}
