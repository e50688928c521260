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

  @Test func `Each finding has its mark, its place and its fix`() {
    #expect(
      DoctorText(paper: .plain).lines(diagnosis) == [
        "ok      service     placardd answers",
        "WRONG   master      /dev/dri/card0 is held by kmscon",
        "                    fix: end it",
        "                      $ sudo systemctl stop kmsconvt@tty1.service",
        "?       terminal    only root may ask",
        "", "One thing is wrong; 1 could not be looked at.",
      ])
  }

  @Test func `Lines are broken to the terminal's width, and commands never are`() {
    let lines = DoctorText(paper: Paper(columns: 50)).lines(diagnosis)
    #expect(
      lines.contains("WRONG   master      /dev/dri/card0 is held by") && lines.contains("                    kmscon"))
    #expect(lines.contains("                      $ sudo systemctl stop kmsconvt@tty1.service"))
    let coloured = DoctorText(paper: Paper(columns: 80, hasColours: true)).lines(diagnosis)
    #expect(coloured[1].hasPrefix("\u{1b}[31mWRONG\u{1b}[0m   master"))
  }

  @Test func `It works without a service and on a machine with nothing, and ends with 1`() async throws {
    try await withTemporaryDirectory { directory in
      let console = MemoryConsole()
      let arguments = ["doctor", "--json", "--root", directory, "--socket", "/there/is/none", "--patience", "600"]
      #expect(await PlacardTool.run(arguments, console: console) == 1)
      #expect(console.errors.isEmpty)
      let diagnosis = try JSON.decode(Diagnosis.self, from: console.output)
      #expect(!diagnosis.healthy && diagnosis.findings.contains { $0.code == "service-down" })
    }
  }

  @Test func `A display whose mode is tried again is looked at once that is over`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willTryAgain(for: 2)
      let (_, console) = await running.placard(
        ["doctor", "--json", "--root", running.directory, "--patience", "600"])
      let found = try JSON.decode(Diagnosis.self, from: console.output).findings
      // Without a font below this root: that it is dark is what counts here.
      #expect(found.contains { $0.check == .mode && $0.text.hasPrefix("DP-1 is dark") }, "\(found)")
    }
  }

  @Test func `It asks the service that there is`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["doctor", "--root", running.directory, "--patience", "600"])
      #expect(status == 1 && console.errors.isEmpty)
      #expect(console.text.contains("ok      service     placardd \(PlacardVersion.current)"), "\(console.text)")
      #expect(!console.text.contains("\u{1b}"))
    }
  }
}
