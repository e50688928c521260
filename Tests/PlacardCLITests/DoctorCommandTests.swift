import Control
import Doctor
import JSON
import Testing

@testable import CommandLineTool

@Suite struct DoctorCommandTests {
  private let diagnosis = Diagnosis(
    healthy: false,
    findings: [
      Finding(.service, .ok, "ok", nil, "placardd answers"),
      Finding(
        .master, .wrong, "master-held", "/dev/dri/card0", "/dev/dri/card0 is held by kmscon\u{1b}", fix: "end it",
        command: "sudo systemctl stop kmsconvt@tty1.service"),
      Finding(.terminal, .unseen, "unseen", nil, "only root may ask"),
    ])

  @Test func `Each finding is printed with its severity, its check and its fix`() {
    #expect(
      DoctorText(style: .plain).lines(diagnosis) == [
        "ok      service     placardd answers",
        "WRONG   master      /dev/dri/card0 is held by kmscon",
        "                    fix: end it",
        "                      $ sudo systemctl stop kmsconvt@tty1.service",
        "?       terminal    only root may ask",
        "", "One thing is wrong; 1 could not be checked.",
      ])
  }

  @Test func `Lines are wrapped at the terminal's width, but commands never are`() {
    let lines = DoctorText(style: OutputStyle(columns: 50)).lines(diagnosis)
    #expect(
      lines.contains("WRONG   master      /dev/dri/card0 is held by") && lines.contains("                    kmscon"))
    #expect(lines.contains("                      $ sudo systemctl stop kmsconvt@tty1.service"))
    let colored = DoctorText(style: OutputStyle(columns: 80, hasColors: true)).lines(diagnosis)
    #expect(colored[1].hasPrefix("\u{1b}[31mWRONG\u{1b}[0m   master"))
  }

  @Test func `The doctor works without a service and on an empty machine, and exits with 1`() async throws {
    try await withTemporaryDirectory { directory in
      let console = MemoryConsole()
      let arguments = ["doctor", "--json", "--root", directory, "--socket", "/there/is/none", "--timeout", "600"]
      #expect(await PlacardTool.run(arguments, console: console) == 1)
      #expect(console.errors.isEmpty)
      let diagnosis = try JSON.decode(Diagnosis.self, from: console.output)
      #expect(!diagnosis.healthy && diagnosis.findings.contains { $0.code == "service-down" })
    }
  }

  @Test func `A display whose mode is being retried is checked after the retries`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willTryAgain(for: 2)
      let (_, console) = await running.placard(
        ["doctor", "--json", "--root", running.directory])
      let found = try JSON.decode(Diagnosis.self, from: console.output).findings
      // This root has no font. Only the dark display matters here.
      #expect(found.contains { $0.check == .mode && $0.text.hasPrefix("DP-1 is dark") }, "\(found)")
    }
  }

  @Test func `The doctor queries a running service`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["doctor", "--root", running.directory])
      #expect(status == 1 && console.errors.isEmpty)
      #expect(console.text.contains("ok      service     placardd \(PlacardVersion.current)"), "\(console.text)")
      #expect(!console.text.contains("\u{1b}"))
    }
  }
}
