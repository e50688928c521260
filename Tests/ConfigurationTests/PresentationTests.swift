import Configuration
import Displays
import Geometry
import Glibc
import Scenes
import Testing

struct PresentationTests {
  private let lobby = MonitorIdentity(edid: [], connector: "HDMI-A-1")
  private let other = MonitorIdentity(edid: [], connector: "DP-1")

  private static let text = """
    policy = "native"
    [style]
    accent = "#111"
    font = "Serif"
    [role.external]
    message = "Welcome"
    accent = "#222"
    tags = ["public"]
    [role.internal]
    safe_area = 10
    [[monitor]]
    connector = "HDMI-*"
    role = "external"
    scene = { kind = "clock", zone = "Europe/Berlin" }
    rotate = 90
    font = "Mono"
    [[monitor]]
    connector = "*"
    policy = "legible"
    tags = []
    """

  private func settings(_ text: String = text) throws -> Settings {
    try SettingsFile.parse(text, name: "placard.toml")
  }

  @Test func `By default external displays have no scene, and a built-in panel has the controller screen`() {
    let external = Settings().presentation(for: other, role: .external)
    #expect(external.scene == nil && external.tags == [] && external.style == Style() && external.reasons == [])
    #expect(external.policy == .legible && external.rotation == .none)
    let panel = Settings().presentation(for: other, role: .internal)
    #expect(panel.scene == Scene(.controller))
    #expect(panel.reasons == ["a built-in panel shows the controller screen unless the configuration sets a scene"])
  }

  @Test func `The configured message is on every display without a configured scene`() {
    for role in Role.allCases {
      let presentation = Settings(message: "Hello").presentation(for: other, role: role)
      #expect(presentation.scene == .banner("Hello"))
      #expect(presentation.reasons.map { $0.hasPrefix("it shows the message of the configuration") } == [true])
    }
  }

  @Test func `A rule's missing keys come from the role, and then from the top level`() throws {
    let presentation = try settings().presentation(for: lobby, role: .external)
    #expect(presentation.policy == .native && presentation.rotation == .quarter)
    #expect(presentation.scene?.kind == "clock" && presentation.tags == ["public"])
    #expect(presentation.style.font == "Mono" && presentation.style.accent == Color(red: 0x22, green: 0x22, blue: 0x22))
  }

  @Test func `The first matching rule applies as a whole, and later rules are ignored`() throws {
    let settings = try settings()
    #expect(settings.presentation(for: lobby, role: .external).policy == .native)
    let second = settings.presentation(for: lobby, role: .internal)
    #expect(second.policy == .legible && second.rotation == .none && second.style.safeArea == 0.1)
    #expect(second.style.font == "Serif" && second.scene == Scene(.controller))
    let third = settings.presentation(for: other, role: .external)
    #expect(third.tags == [] && third.scene == .banner("Welcome"))
  }

  @Test func `Reasons name file and line`() throws {
    let settings = try settings()
    #expect(
      settings.presentation(for: lobby, role: .external).reasons == [
        "placard.toml:11: this monitor matches [[monitor]] connector = \"HDMI-*\", role = \"external\", "
          + "which sets scene, rotate and font",
        "placard.toml:5: [role.external] sets accent and tags",
      ])
    #expect(
      settings.presentation(for: other, role: .internal).reasons == [
        "placard.toml:17: this monitor matches [[monitor]] connector = \"*\", which sets policy and tags",
        "placard.toml:9: [role.internal] sets safe_area",
        "a built-in panel shows the controller screen unless the configuration sets a scene",
      ])
    let none = try self.settings("[[monitor]]\nname = 'x'\nmode = '1x1'").presentation(for: other, role: .external)
    #expect(none.reasons == ["no [[monitor]] in the configuration matches this monitor"])
  }

  @Test func `A role's mode is reported, but not once a rule has a policy`() throws {
    let settings = try settings(
      "[role.external]\nmode = '1280x720'\n[[monitor]]\nconnector = 'HDMI-A-1'\npolicy = 'native'")
    #expect(settings.policy(for: other) == .explicit(Size(1280, 720)))
    #expect(
      settings.presentation(for: other, role: .external).reasons.last == "placard.toml:1: [role.external] sets mode")
    #expect(settings.presentation(for: lobby, role: .external).reasons.count == 1)
  }

  @Test func `A scene may be a sub-table with the keys of JSON documents`() throws {
    let settings = try settings(
      """
      [role.internal.scene]
      kind = "board"
      title = "Gates"
      [[role.internal.scene.columns]]
      title = "A"
      cards = [{ title = "A1", accent = "#f00" }, { title = "A2" }]
      [role.internal.scene.style]
      safe_area = 7.5
      italic = true
      weight = 700
      """)
    let cards = [Card(title: "A1", accent: Color(red: 0xFF, green: 0, blue: 0)), Card(title: "A2")]
    var scene = Scene(.board(Board(title: "Gates", columns: [.init(title: "A", cards: cards)])))
    (scene.style.safeArea, scene.style.isItalic, scene.style.weight) = (0.075, true, 700)
    #expect(settings.presentation(for: other, role: .internal).scene == scene)
  }

  @Test func `A scene may be a JSON file with a path relative to the configuration's folder`() throws {
    let folder = "/tmp/placard-scenes-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try #require(unsafe mkdir(folder, 0o700) == 0)
    defer { for name in ["/placard.toml", "/welcome.json", ""] { unsafe _ = remove(folder + name) } }
    try write(#"{"kind": "card", "title": "Lift"}"#, to: folder + "/welcome.json")
    try write("[[monitor]]\nrole = 'external'\nscene = 'welcome.json'", to: folder + "/placard.toml")
    let settings = try SettingsFile.read(folder + "/placard.toml")
    #expect(settings.presentation(for: other, role: .external).scene == Scene(.card(Card(title: "Lift"))))
    try write(#"{"kind": "card", "title": 7}"#, to: folder + "/welcome.json")
    let error = try #require(throws: ConfigurationError.self) { try SettingsFile.read(folder + "/placard.toml") }
    #expect(error.line == 3)
    #expect(error.reason.hasPrefix("monitor.scene: \(folder)/welcome.json: `title` "), "\(error)")
  }

  private func write(_ text: String, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
