import Control
import Doctor
import NIOCore

/// The checks of `placard doctor` within the daemon, which read only small files and start no programs.
struct MachineChecks: Sendable {
  /// The event loop that reads the files.
  let loop: any EventLoop
  /// The path of the control socket.
  let socket: String

  /// Checks the machine.
  ///
  /// - Parameters:
  ///   - status: The status of the daemon.
  ///   - displays: The displays.
  ///   - reasons: The reasons for the modes of the connected displays, keyed by name.
  /// - Returns: The findings; none if the loop has ended.
  func report(
    _ status: ServiceStatus, _ displays: [DisplayReport], _ reasons: [String: WhyReport]
  ) async -> DoctorReport {
    let view = ServiceView(status: status, displays: displays, reasons: reasons)
    let diagnosis = loop.submit { [socket] in
      Diagnosis(MachineInspector(asksPrograms: false).inspect(.answers(view), socket: socket))
    }
    guard let diagnosis = try? await diagnosis.get() else { return DoctorReport() }
    return DoctorReport(healthy: diagnosis.healthy, findings: diagnosis.findings.map(Self.finding))
  }

  private static func finding(_ finding: Finding) -> DoctorReport.Finding {
    DoctorReport.Finding(
      check: finding.check.rawValue, severity: finding.severity, code: finding.code, object: finding.object,
      text: finding.text, fix: finding.fix, command: finding.command)
  }
}
