import Control
import SystemFiles
import Testing

@testable import Doctor

extension MachineReport {
  static let passwd = "root:x:0:0:::\nplacard:x:990:990:::\nada:x:1000:1000:::\n"

  /// An EDID of 128 bytes: vendor TST, product 1, and a correct checksum.
  static let edid: [UInt8] = {
    var bytes: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0, 0x52, 0x74, 1, 0]
    bytes += [UInt8](repeating: 0, count: 128 - bytes.count)
    bytes[18] = 1
    bytes[19] = 4
    bytes[127] = 0 &- bytes.dropLast().reduce(0, &+)
    return bytes
  }()

  /// A service that systemd runs, with a lit monitor on the first of two connectors.
  static var healthy: MachineReport {
    let account = Account(name: "placard", user: 990, group: 990, groups: [44])
    var seen = MachineReport(
      caller: Account(name: "ada", user: 1000, group: 1000),
      accounts: AccountBook(
        passwd: passwd, group: "root:x:0:\nvideo:x:44:placard\nplacard:x:990:ada\nada:x:1000:\n"))
    seen.answer = .answers(
      ServiceView(
        status: ServiceStatus(
          version: PlacardVersion.current, backend: .kms, pid: 700, lit: 1, connected: 1, problems: [],
          storage: "/var/lib/placard/placard.db"),
        displays: [
          DisplayReport(
            name: "HDMI-A-1", state: .lit, reason: nil, role: .external, card: "/dev/dri/card0", driver: "i915",
            monitor: "TST", identity: "TST-1", mode: "1920x1080@60", width: 1920, height: 1080, scale: 1,
            message: "Welcome")
        ],
        reasons: [
          "HDMI-A-1": WhyReport(
            display: "HDMI-A-1", policy: "legible", mode: "1920x1080@60", scale: 1, reasons: [], rejected: [],
            attempts: ["1920x1080@60: set (preferred)"])
        ]))
    seen.socketFacts = FileFacts(mode: 0o140660, user: 990, group: 990)
    seen.unit = ServiceUnit(active: "active", account: account)
    seen.processes = [ServiceProcess(pid: 700, account: account)]
    seen.cards = [
      CardState(
        node: "/dev/dri/card0", driver: "i915", facts: FileFacts(mode: 0o020660, user: 0, group: 44),
        connectors: [
          ConnectorState(name: "HDMI-A-1", isConnected: true, edid: edid),
          ConnectorState(name: "DP-1", isConnected: false),
        ])
    ]
    seen.terminal = TerminalState(name: "tty1", mode: .text)
    seen.fonts = .found("/usr/share/fonts/DejaVuSans.ttf")
    seen.storage = StorageState(path: "/var/lib/placard/placard.db", freeBytes: 1 << 30, freeFiles: 1000)
    return seen
  }

  /// Returns the healthy examination with a service that a user started by hand.
  static func byHand(as account: Account) -> MachineReport {
    var seen = healthy
    seen.caller = account
    seen.unit = nil
    seen.processes[0].account = account
    return seen
  }

  /// Returns a copy in which the service does not drive the card.
  func without(card: Int) -> MachineReport {
    var seen = self
    seen.change { view in view.displays.removeAll { $0.card == cards[card].node } }
    return seen
  }

  /// Changes the service's answer.
  mutating func change(_ body: (inout ServiceView) -> Void) {
    guard case .answers(var view) = answer else { return }
    body(&view)
    answer = .answers(view)
  }

  /// Returns the only finding with the code, after checking its severity and that the diagnosis is consistent.
  func only(_ code: String, _ mark: Finding.Severity) throws -> Finding {
    let diagnosis = Diagnosis(self)
    let found = diagnosis.findings.filter { $0.code == code }
    let finding = try #require(found.first, "\(code) is not among \(diagnosis.findings.map(\.code))")
    #expect(found.count == 1)
    #expect(finding.severity == mark)
    #expect(finding.fix != nil || mark == .note || code == "service-problem", "\(finding)")
    #expect(diagnosis.healthy == !diagnosis.findings.contains { $0.severity == .wrong })
    return finding
  }
}
