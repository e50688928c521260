import Control
import Logging
import NIOPosix
import Testing

@testable import Service

@Suite struct MachineChecksTests {
  @Test func `the checks of the service report every area, and find the running service`() async throws {
    let checks = MachineChecks(loop: MultiThreadedEventLoopGroup.singleton.next(), socket: "/nonexistent/placard.sock")
    let status = ServiceStatus(
      version: PlacardVersion.current, backend: .virtual, pid: 1, lit: 0, connected: 0, problems: [])
    let report = await checks.report(status, [], [:])
    #expect(report.findings.map(\.check).contains("service"))
    #expect(report.findings.map(\.check).contains("zones"))
    #expect(!report.findings.contains { $0.code == "no-service" })
    #expect(report.healthy == !report.findings.contains { $0.severity == .wrong })
  }

  @Test func `the newest 200 lines of the log are stored, oldest first`() {
    let recent = RecentLines()
    #expect(recent.lines == [])
    for number in 1...LogReport.most { recent.add("\(number)") }
    #expect(recent.lines == (1...LogReport.most).map(String.init))
    for number in 201...450 { recent.add("\(number)") }
    #expect(recent.lines == (251...450).map(String.init))
  }
}
