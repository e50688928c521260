/// Fuzzes the configuration parser with bytes from libFuzzer. Parsing must not trap. A rejection must have a line of
/// the text and a reason, and accepted settings must give every monitor a presentation.
func fuzzConfiguration(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let lines = text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1
  do throws(ConfigurationError) {
    let settings = try SettingsFile.parse(text, name: "fuzz.toml")
    let again = try? SettingsFile.parse(text, name: "fuzz.toml")
    precondition(again == settings, "the same text says something else when it is read again")
    for role in [Role.internal, .external] {
      let monitor = MonitorIdentity(edid: bytes, connector: "HDMI-A-1")
      precondition(!settings.presentation(for: monitor, role: role).reasons.contains(""))
    }
  } catch {
    precondition(!error.reason.isEmpty && error.line.map { (1...lines).contains($0) } ?? true)
  }
}
