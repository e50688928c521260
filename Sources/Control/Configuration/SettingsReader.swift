import Displays
import Geometry
import Scenes

/// Converts a parsed file to settings.
func settings(from root: TableReader, _ facts: ValidationContext) throws(ConfigurationError) -> Settings {
  try root.refuseUnknownKeys(except: [
    "policy", "message", "backend", "socket", "atomic", "log", "rotate", "glyph_cache", "style", "role",
    "monitor", "state", "history_days", "history_size", "forget_monitors_days", "on_host_suspend",
    "controller", "images_size", "edids", "folders", "hours", "hours_zone",
    "distance",
  ])
  var settings = Settings()
  settings.policy = try root.policy("policy") ?? settings.policy
  settings.message = try root.message("message")
  settings.backend = try root.choice("backend", of: Backend.self) ?? settings.backend
  settings.socket = try root.socket("socket")
  settings.isAtomicAllowed = try root.bool("atomic") ?? settings.isAtomicAllowed
  settings.logLevel = try root.choice("log", of: LogLevel.self) ?? settings.logLevel
  settings.rotation = try root.rotation("rotate") ?? settings.rotation
  settings.glyphCache = try root.byteCount("glyph_cache", in: 1...4 << 30) ?? settings.glyphCache
  settings.edids = try root.folder("edids")
  settings.folders = try root.folders("folders") ?? settings.folders
  settings.hours = try root.hours()
  settings.distance = try root.distance()
  settings.sleepsOnHostSuspend = try root.bool("on_host_suspend") ?? settings.sleepsOnHostSuspend
  try readStorage(from: root, into: &settings)
  if let controller = try root.table("controller") { settings.controller = try controller.controller(facts) }
  if let style = try root.table("style") { settings.style = try style.style() }
  settings.roles = try roles(from: root)
  for table in try root.tables("monitor") { settings.monitors.append(try table.monitorRule()) }
  return settings
}

private func readStorage(from root: TableReader, into settings: inout Settings) throws(ConfigurationError) {
  let wanted = "it must be the absolute path of a file, or \"none\" to keep nothing across restarts"
  settings.storage = try root.value("state", wanted, Storage.init(parsing:)) ?? settings.storage
  settings.historyDays = try root.integer("history_days", in: 1...36500) ?? settings.historyDays
  settings.historyBytes = try root.byteCount("history_size", in: 1 << 20...1 << 40) ?? settings.historyBytes
  settings.imagesBytes = try root.byteCount("images_size", in: 1...1 << 40) ?? settings.imagesBytes
  settings.monitorDays = try root.integer("forget_monitors_days", in: 1...36500) ?? settings.monitorDays
}

private func roles(from root: TableReader) throws(ConfigurationError) -> [Role: DisplayRequests] {
  guard let table = try root.table("role") else { return [:] }
  try table.refuseUnknownKeys(except: Role.allCases.map(\.rawValue))
  var roles: [Role: DisplayRequests] = [:]
  for role in Role.allCases {
    guard let wishes = try table.table(role.rawValue) else { continue }
    try wishes.refuseUnknownKeys(except: DisplayRequests.keys)
    roles[role] = try wishes.displayRequests()
  }
  return roles
}
