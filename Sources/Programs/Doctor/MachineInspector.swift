import CLinux
import Control
import Glibc
import SystemFiles

/// An unprivileged, read-only report of a machine.
package struct MachineInspector: Sendable {
  let files: SystemFiles
  /// The function that runs a program and returns its output, or nil if it fails.
  private let ask: @Sendable ([String]) -> String?

  /// Creates an examiner of this machine or of a directory tree.
  ///
  /// - Parameter root: The directory that replaces `/`, or an empty string for this machine. With a directory, no
  ///   programs are started.
  package init(root: String = "") {
    self.init(files: SystemFiles(root: root)) { root.isEmpty ? Program.output(of: $0) : nil }
  }

  /// Creates an examiner of this machine.
  ///
  /// - Parameter asksPrograms: Whether to start systemctl, journalctl and fc-match, each for at most a few seconds.
  package init(asksPrograms: Bool) {
    self.init(files: SystemFiles()) { asksPrograms ? Program.output(of: $0) : nil }
  }

  /// Creates an examiner with a custom way to run programs.
  init(files: SystemFiles, ask: @escaping @Sendable ([String]) -> String?) {
    self.files = files
    self.ask = ask
  }

  /// Examines the machine.
  ///
  /// Reads small files, and waits a few seconds at most for each program that hangs.
  ///
  /// - Parameters:
  ///   - answer: The result of querying the service.
  ///   - socket: The path of the service's socket.
  /// - Returns: The observations, including `answer`.
  package func inspect(_ answer: ServiceAnswer, socket: String) -> MachineReport {
    let accounts = files.accounts()
    var seen = MachineReport(caller: Self.caller(accounts), accounts: accounts)
    seen.answer = answer
    seen.socket = socket
    seen.socketFacts = files.facts(socket)
    seen.processes = services(accounts)
    seen.unit = unit(accounts, isAnswering: seen.view != nil)
    seen.cards = cards()
    seen.renderNodes = cardNames().filter { connectors(of: $0).isEmpty }.map { "/dev/dri/\($0)" }
    seen.adapters = adapters()
    seen.framebuffers = lines("/proc/fb").map { String($0.drop { $0 != " " }.dropFirst()) }
    seen.terminal = terminal()
    seen.kernelArguments = files.text("/proc/cmdline")?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    seen.fonts = fonts()
    seen.hasTimeZones = !files.names(in: "/usr/share/zoneinfo").isEmpty
    inspectSettings(&seen)
    return seen
  }

  private func lines(_ path: String) -> [String] {
    files.text(path)?.split(separator: "\n").map(String.init) ?? []
  }

  // MARK: Processes

  private static func caller(_ accounts: AccountBook) -> Account {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(count, 0)))
    let got = unsafe getgroups(Int32(groups.count), &groups)
    return Account(
      name: accounts.userName(geteuid()), user: geteuid(), group: getegid(),
      groups: Set(groups.prefix(Int(max(got, 0)))))
  }

  private func services(_ accounts: AccountBook) -> [ServiceProcess] {
    files.processes().sorted().filter { files.line("/proc/\($0)/comm") == "placardd" }.compactMap { pid in
      guard let account = account(ofProcess: pid, accounts) else { return nil }
      let words = files.bytes("/proc/\(pid)/cmdline")?.split(separator: 0) ?? []
      return ServiceProcess(
        pid: pid, account: account, arguments: words.dropFirst().map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// Returns the account of a process.
  ///
  /// In /proc/PID/status, the second of four IDs is the effective one (proc_pid_status(5)).
  private func account(ofProcess pid: Int32, _ accounts: AccountBook) -> Account? {
    var fields: [String: [UInt32]] = [:]
    for line in lines("/proc/\(pid)/status") {
      let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      if let name = words.first { fields[String(name)] = words.dropFirst().compactMap { UInt32($0) } }
    }
    guard let users = fields["Uid:"], let groups = fields["Gid:"], users.count == 4, groups.count == 4 else {
      return nil
    }
    return Account(
      name: accounts.userName(users[1]), user: users[1], group: groups[1], groups: Set(fields["Groups:"] ?? []))
  }

  private func unit(_ accounts: AccountBook, isAnswering: Bool) -> ServiceUnit? {
    let properties = "LoadState,ActiveState,Result,NRestarts,User,SupplementaryGroups"
    guard let text = ask(["systemctl", "show", "--no-pager", "-p", properties, "placard.service"]) else { return nil }
    let values = Dictionary(
      text.split(separator: "\n").map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
    ) { first, _ in first }
    guard values["LoadState"] == "loaded" else { return nil }
    var account = accounts.account(values["User"] ?? "") ?? (values["User"] == "" ? accounts.account("root") : nil)
    let groups = (values["SupplementaryGroups"] ?? "").split(separator: " ").compactMap { accounts.group(String($0)) }
    account?.groups.formUnion(groups)
    let log = isAnswering ? nil : ask(["journalctl", "-q", "--no-pager", "-u", "placard", "-n", "1", "-o", "cat"])
    return ServiceUnit(
      active: values["ActiveState"] ?? "unknown", result: values["Result"] ?? "success",
      restarts: values["NRestarts"].flatMap { Int($0) } ?? 0, account: account,
      lastLine: log?.split(separator: "\n").last.map(String.init))
  }

  // MARK: Fonts

  private func fonts() -> FontState {
    // The families of the service's default font.
    if let answer = ask(["fc-match", "-f", "%{file}\n", "Noto Sans,sans-serif"]) {
      return answer.first == "/" ? .found(String(answer.prefix { $0 != "\n" })) : .none
    }
    for folder in ["/usr/share/fonts", "/usr/local/share/fonts"] {
      if let file = font(in: folder, depth: 4) { return .found(file) }
    }
    return .none
  }

  private func font(in folder: String, depth: Int) -> String? {
    let names = files.names(in: folder).sorted()
    let kinds = [".ttf", ".otf", ".ttc", ".otc", ".pfb"]
    if let file = names.first(where: { name in kinds.contains { name.lowercased().hasSuffix($0) } }) {
      return "\(folder)/\(file)"
    }
    guard depth > 0 else { return nil }
    return names.lazy.filter { !$0.contains(".") }.compactMap { font(in: "\(folder)/\($0)", depth: depth - 1) }.first
  }
}
