import Control
import FastPath
import Glibc
import JSON
import Testing

@testable import CommandLineTool

/// Tests that the small program prints reports like the full one.
@Suite struct FastReportTests {
  static let healthy = #"{"live":true,"losses":[],"ready":true,"reasons":[],"rejections":{},"state":"ok","uptime":3}"#

  private static let now = Int64(time(nil)) * 1000

  private static func display(
    _ name: String, _ state: DisplayReport.State = .lit, since: Int64? = nil, monitor: String? = nil,
    message: String? = nil,
    reason: String? = nil, warnings: [String] = []
  ) -> DisplayReport {
    let pending = PendingModeChange(mode: "640x480@60", rotation: 0, until: Timestamp(milliseconds: now))
    return DisplayReport(
      name: name, state: state, reason: reason, cause: reason.map { _ in .noMode },
      since: since.map(Timestamp.init(milliseconds:)), role: .external, card: "/dev/dri/card0", driver: "virtio_gpu",
      monitor: monitor, identity: monitor.map { "\($0) \u{1b}7 #1" }, mode: state == .lit ? "1920x1080@60" : nil,
      width: 1920, height: 1080, scale: 2, message: message, warnings: warnings, rotation: 90,
      modes: ["1920x1080@60", "1280x720@60"],
      pending: state == .lighting ? pending : nil, isChosen: state == .lit, session: 7, missedFrames: 3,
      missedInARow: 2,
      mounted: 270,
      legibility: LegibilityReport(display: name, letterHeight: 12.5, readableDistance: 2.1, distance: 3))
  }

  static let lists: [[DisplayReport]] = [
    [],
    [display("HDMI-A-1", since: now, monitor: "DEL U2720Q", message: "Welcome, Ada!")],
    DisplayReport.State.allCases.map { display($0.rawValue, $0, reason: "r \($0.rawValue)") },
    [
      display("A", since: now - 90_000_000, message: "Grüße,\nAda — “x”… ½ ÿ \u{24f}\t\\/\""),
      display("Virtual-10", since: 0, monitor: "Größe §", warnings: ["text is cut", "é: another font"]),
    ],
    [display("A", since: 1_774_746_000_000), display("B", since: 1_774_749_600_000)],
  ]

  @Test func `The lists have each field of a display, so that a new one is not left to the full program`() throws {
    let members = try Self.lists.joined().map { try JSON.decode([String: JSONValue].self, from: JSON.encode($0)) }
    #expect(Set(members.flatMap(\.keys)) == Set(DisplayReport.interface.fields.map(\.name)))
  }

  @Test(arguments: lists)
  func `Both programs list displays identically`(reports: [DisplayReport]) throws {
    let body = String(decoding: try JSON.encode(reports), as: UTF8.self)
    for command in [["displays"], ["sleep"], ["wake", "A"]] {
      for (columns, hasColors) in [(nil, false), (200, true), (200, false)] {
        let output = try #require(Self.output(command, body, FastStyle(columns: columns, hasColors: hasColors)))
        let style = OutputStyle(columns: columns, hasColors: hasColors)
        let lines = DisplaysCommand.lines(reports, clock: .system(), style)
        #expect(output.text == lines.map { $0 + "\n" }.joined() && output.status == 0)
      }
    }
  }

  @Test func `A narrow terminal gets fewer columns, and a very narrow one is left to the full program`() throws {
    let reports = Self.lists[1]
    let body = String(decoding: try JSON.encode(reports), as: UTF8.self)
    let plain = (20...100).filter { columns in
      guard let output = Self.output(["displays"], body, FastStyle(columns: columns)) else { return false }
      let lines = DisplaysCommand.lines(reports, clock: .system(), OutputStyle(columns: columns))
      #expect(output.text == lines.map { $0 + "\n" }.joined())
      return true
    }
    #expect(plain == Array(56...100))
  }

  @Test(arguments: [
    #"{"name":"A","scale":1,"state":"lit","note":1}"#, #"{"name":"A","state":"lit"}"#, #"{"scale":1,"state":"lit"}"#,
    #"{"message":"日本","name":"A","scale":1,"state":"lit"}"#,
    #"{"message":"e\#u{301}","name":"A","scale":1,"state":"lit"}"#,
    #"{"message":"\u001b[2J","name":"A","scale":1,"state":"lit"}"#,
    #"{"message":"a\r\n","name":"A","scale":1,"state":"lit"}"#,
    #"{"message":"a\#u{ad}","name":"A","scale":1,"state":"lit"}"#,
    #"{"message":"😀","name":"A","scale":1,"state":"lit"}"#, #"{"message":7,"name":"A","scale":1,"state":"lit"}"#,
    #"{"name":"A","scale":1,"since":{"milliseconds":-1},"state":"lit"}"#,
    #"{"name":"A","scale":1.5,"state":"lit"}"#, #"{"name":"A","scale":1,"state":"lit","modes":[}"#,
  ])
  func `An unexpected display report is left to the full program`(display: String) {
    #expect(Self.output(["displays"], "[\(display)]") == nil)
    #expect(Self.output(["displays"], #"[{"name":"A","scale":1,"state":"lit"},\#(display)]"#) == nil)
  }

  @Test func `A list with a next page is left to the full program`() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"
    for (link, isPlain) in [("", true), ("Link: </v1/displays?after=a>; rel=\"next\"\r\n", false)] {
      let reply = FastReply(Array("\(head)\(link)\r\n[]".utf8))
      #expect((FastCommand.parse(["displays"]).flatMap { reply.output(of: $0, now: 0) } != nil) == isPlain)
    }
  }

  @Test(arguments: [
    HealthReport(state: .ok, ready: true, reasons: [], uptime: 0),
    HealthReport(state: .ok, ready: true, reasons: [], uptime: 86400 * 3 + 4 * 3600 + 59),
    HealthReport(state: .starting, ready: false, reasons: ["DP-1: lighting"], uptime: 60),
    HealthReport(
      state: .degraded, ready: true, reasons: ["Größe: no mode.", "two\nlines"], uptime: 3605,
      rejections: ["connections": 2, "readers": 1]),
    HealthReport(
      state: .degraded, ready: true, reasons: ["the reload was refused"], uptime: 1,
      losses: [LossReport(id: 3, text: "the reload was refused", since: Timestamp(milliseconds: now))]),
    HealthReport(
      state: .degraded, ready: true, reasons: ["a", "b"], uptime: 1,
      losses: [
        LossReport(id: 3, text: "a", since: Timestamp(milliseconds: -1)),
        LossReport(id: 4, text: "b", since: Timestamp(milliseconds: 0)),
      ]),
  ])
  func `Both programs report health identically`(report: HealthReport) async throws {
    let body = String(decoding: try JSON.encode(report), as: UTF8.self)
    for hasColors in [false, true] {
      let style = FastStyle(columns: hasColors ? 40 : nil, hasColors: hasColors)
      let output = try #require(Self.output(["health"], body, style))
      let lines = HealthCommand.lines(report, OutputStyle(columns: style.columns, hasColors: hasColors))
      #expect(output.text == lines.map { $0 + "\n" }.joined())
      #expect(output.status == (report.state == .ok ? 0 : 1))
    }
  }

  @Test(arguments: [
    #"{"live":true,"losses":[],"ready":true,"reasons":[],"rejections":{},"state":"well","uptime":3}"#,
    #"{"live":true,"losses":[],"ready":true,"reasons":["日"],"rejections":{},"state":"ok","uptime":3}"#,
    #"{"live":true,"losses":[],"ready":true,"reasons":[],"rejections":{},"state":"ok"}"#,
    #"{"live":true,"losses":[],"ready":true,"reasons":[],"rejections":{},"more":[],"state":"ok","uptime":3}"#,
    "[]", "{", "",
  ])
  func `An unexpected health report is left to the full program`(body: String) {
    #expect(Self.output(["health"], body) == nil)
  }

  private static let outcomes: [(words: [String], answer: String, status: Int32)] = [
    (["health"], FastPathTests.answer(healthy), 0),
    (["health"], FastPathTests.answer(healthy.replacing("ok", with: "degraded")), 1),
    (["displays"], FastPathTests.answer(String(decoding: (try? JSON.encode(lists[3])) ?? [], as: UTF8.self)), 0),
    (["sleep", "A"], FastPathTests.answer(#"{"detail":"No A.","status":404,"title":"","type":""}"#, status: 404), 1),
    (["wake"], FastPathTests.answer("[]"), 0), (["displays"], FastPathTests.answer("{"), 1),
    (["show", "--clear"], FastPathTests.answer(#"{"remaining":[],"removed":[]}"#), 0),
    (["clear", "-d", "A"], FastPathTests.answer(#"{"remaining":[],"removed":[{"id":3,"summary":"a\nb"}]}"#), 0),
    (["clear"], FastPathTests.answer(#"{"remaining":[],"removed":[{"id":3,"summary":"Größe"}]}"#), 0),
    (
      ["clear"],
      FastPathTests.answer(
        #"{"remaining":[{"acknowledge":false,"displays":["A"],"id":1,"summary":"a"}],"removed":[]}"#), 0
    ),
  ]

  /// Runs the full program through a link that is named placard.
  @Test func `Both programs have the same output and exit status`() async throws {
    try await withTemporaryDirectory { directory in
      #expect(unsafe symlink("\(builtPrograms)/placardd", "\(directory)/placard") == 0)
      for (words, answer, status) in Self.outcomes {
        try await CannedService(answer).serve(at: "\(directory)/s") {
          let command = words + ["--socket", "\(directory)/s"]
          let zone = ["-c", "TZ=Asia/Tokyo exec \"$0\" \"$@\""]
          let fast = await runProgram("/bin/sh", zone + ["\(builtPrograms)/placard"] + command)
          let full = await runProgram("/bin/sh", zone + ["\(directory)/placard"] + command)
          #expect(fast.output == full.output && fast.status == full.status && fast.status == status, "\(words)")
        }
      }
    }
  }

  private static func output(
    _ words: [String], _ body: String, _ style: FastStyle = FastStyle()
  ) -> (text: String, status: Int32)? {
    let reply = FastReply(Array(FastPathTests.answer(body).utf8))
    let output = FastCommand.parse(words).flatMap { reply.output(of: $0, on: style, now: Int(now)) }
    return output.map { (String(decoding: $0.text, as: UTF8.self), $0.status) }
  }
}
