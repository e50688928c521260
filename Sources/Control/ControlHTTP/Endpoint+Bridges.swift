import Control
import SystemCalls

extension Endpoint {
  /// The endpoints for bridges.
  static let aboutBridges = [
    Endpoint(
      "PUT", "/v1/bridges/{bridge}", "setBridge", "Reports the state of a bridge, a program beside the service.",
      body: .json("BridgeRequest"), answer: .report("BridgeReport", "The state."), problems: [409],
      perform: { call in
        let now = Timestamp(milliseconds: SystemClock.wallMilliseconds())
        return .json(try call.bridges.set(call.name("bridge"), try call.body(), at: now))
      }),
    Endpoint(
      "DELETE", "/v1/bridges/{bridge}", "removeBridge", "Removes a bridge that has ended.",
      answer: .done("The bridge was removed."),
      perform: {
        try $0.bridges.remove($0.name("bridge"))
        return .nothing
      }),
  ]
}

extension Call {
  /// Returns the status of the service, with the states of bridges.
  func status() async -> ServiceStatus {
    var status = await service.status()
    let states = bridges.all
    if !states.isEmpty { status.bridges = states }
    return status
  }

  /// Returns the findings of the service's checks, with those about bridges.
  func doctor() async throws(ControlError) -> DoctorReport {
    var report = try await service.doctor()
    report.findings += bridges.findings
    report.healthy = report.healthy && bridges.problems.isEmpty
    return report
  }
}
