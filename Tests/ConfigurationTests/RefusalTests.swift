import Configuration
import Testing

/// An invalid text, the line of its mistake, and parts of the expected error.
struct Refusal: Sendable, CustomTestStringConvertible {
  var text: String
  var line: Int
  var words: [String]
  var testDescription: String { text.split(separator: "\n").joined(separator: " / ") }

  init(_ text: String, line: Int, _ words: String...) {
    self.text = text
    self.line = line
    self.words = words
  }
}

struct RefusalTests {
  static let refusals = [
    Refusal("polcy = 'native'", line: 1, "unknown key \"polcy\"", "did you mean \"policy\"?"),
    Refusal("\n\nzebra = 1", line: 3, "unknown key \"zebra\"", "the known keys are policy, message"),
    Refusal("[style]\nforground = '#fff'", line: 2, "\"style.forground\"", "\"foreground\"?"),
    Refusal("[stile]\nfont = 'x'", line: 1, "\"stile\"", "\"style\"?"),
    Refusal("policy = 'biggest'", line: 1, "policy = \"biggest\"", "\"legible\", \"native\", \"halve-above-1080p\""),
    Refusal("policy = '0x1080'", line: 1, "1920x1080@60"),
    Refusal("policy = true", line: 1, "policy must be a string in quotes, but this is true or false"),
    Refusal("message = 12", line: 1, "message must be a string in quotes, but this is a whole number"),
    Refusal("atomic = 'yes'", line: 1, "atomic must be true or false, without quotes"),
    Refusal("backend = 'x11'", line: 1, "\"auto\", \"kms\", \"virtual\""),
    Refusal("log = 'loud'", line: 1, "\"trace\", \"debug\""),
    Refusal("socket = 'run/placard.sock'", line: 1, "absolute path of at most 107 bytes"),
    Refusal("socket = '/\(String(repeating: "x", count: 107))'", line: 1, "at most 107 bytes"),
    Refusal("rotate = 45", line: 1, "rotate is 45", "0, 90, 180 or 270"),
    Refusal("rotate = '90'", line: 1, "rotate must be a whole number, but this is a string"),
    Refusal("[[monitor]]\nname = 'A'\nrotate = -90", line: 3, "monitor.rotate is -90", "degrees clockwise"),
    Refusal("\nglyph_cache = '32 MB'", line: 2, "glyph_cache = \"32 MB\"", "\"32 MiB\""),
    Refusal("glyph_cache = ''", line: 1, "a size with its unit"),
    Refusal("glyph_cache = '99999999999 GiB'", line: 1, "a size with its unit"),
    Refusal("glyph_cache = '5 GiB'", line: 1, "5368709120 bytes", "1...4294967296"),
    Refusal("glyph_cache = -1", line: 1, "glyph_cache = -1", "a size with its unit"),
    Refusal("glyph_cache = 1.5", line: 1, "a size with its unit", "but this is a number"),
    Refusal("# colors\n[style]\nforeground = '#ffg'", line: 3, "style.foreground = \"#ffg\"", "#rrggbb"),
    Refusal("[style]\n\nbackground = 'blue'", line: 3, "#0b1f4b"),
    Refusal("[style]\n\nforeground = '#0B1F4B'", line: 3, "both #0b1f4b", "contrast of at least 4.5:1"),
    Refusal(
      "[[monitor]]\nname = 'A'\nforeground = '#abc'\nbackground = '#aabbcc'", line: 3, "both #aabbcc", "invisible"),
    Refusal("[style]\nfont = ''", line: 2, "style.font is empty"),
    Refusal("[style]\nsafe_area = 46", line: 2, "style.safe_area is 46.0; it must lie in 0.0...45.0"),
    Refusal("[style]\nburn_in_shift = 25", line: 2, "style.burn_in_shift is 25; it must lie in 0...24"),
    Refusal("[[monitor]]\nname = 'a'\nburn_in_shift = -1", line: 3, "burn_in_shift is -1"),
    Refusal(
      "log = 'info'\nhours = 'Mo-Fr 7-19'", line: 2, "hours = \"Mo-Fr 7-19\": there is \"7-19\"", "Mo-Fr 07:00-19:00"),
    Refusal("hours_zone = 'Europe/Berlin'", line: 1, "hours_zone is set without hours; set hours too"),
    Refusal(
      "[role.external]\nhours = '24/7'\nhours_zone = 'Europe/Berlino'", line: 3,
      "role.external.hours_zone = \"Europe/Berlino\"", "Berlino"),
    Refusal("distance = '6'", line: 1, "distance = \"6\": it must be a length from 0.1 m to 1000 m", "\"6 m\""),
    Refusal("distance = 6", line: 1, "distance must be a string in quotes, but this is"),
    Refusal("diagonal = '55 in'", line: 1, "unknown key \"diagonal\""),
    Refusal("[role.external]\ndiagonal = '0 in'", line: 2, "role.external.diagonal = \"0 in\"", "from 1 in to 100 m"),
    Refusal("[style]\nsafe_area = -1", line: 2, "must lie in"),
    Refusal("[style]\nsafe_area = nan", line: 2, "must lie in"),
    Refusal("[style]\nsafe_area = inf", line: 2, "must lie in"),
    Refusal("[style]\nsafe_area = '3%'", line: 2, "style.safe_area must be a number, but this is a string"),
    Refusal("style = 3", line: 1, "style must be a table: [style]"),
    Refusal("[monitor]\nconnector = 'DP-1'\nmode = '1x1'", line: 1, "monitor must be written as [[monitor]]"),
    Refusal("monitor = [1]", line: 1, "monitor must be written as [[monitor]]"),
    Refusal("[[monitor]]\nmode = '1920x1080'", line: 1, "this rule does not select a monitor"),
    Refusal("[[monitor]]\nconnector = 'DP-1'", line: 1, "this rule sets nothing"),
    Refusal("[[monitor]]\nname = 'A'\nmode = '1x1'\npolicy = 'native'", line: 3, "cannot both be set"),
    Refusal("[[monitor]]\nname = 'A'\nmode = 'native'", line: 3, "monitor.mode = \"native\"", "1920x1080@60"),
    Refusal("[[monitor]]\nname = 'A'\nmode = '1920x1080@fast'", line: 3, "with or without a rate"),
    Refusal("[[monitor]]\nvendor = 'DELL'\npolicy = 'native'", line: 2, "three capital letters"),
    Refusal("[[monitor]]\nvendor = 'del'\npolicy = 'native'", line: 2, "monitor.vendor = \"del\"", "capital letters"),
    Refusal("[[monitor]]\nvendor = 'd*'\npolicy = 'native'", line: 2, "capital letters"),
    Refusal("[[monitor]]\nrole = 'extern'\ntags = ['a']", line: 2, "monitor.role", "\"internal\", \"external\""),
    Refusal("[[monitor]]\nrole = 'ext*'\ntags = ['a']", line: 2, "\"internal\", \"external\""),
    Refusal("\nstate = 'placard.db'", line: 2, "state = \"placard.db\"", "absolute path", "\"none\""),
    Refusal("state = '/var/lib/'", line: 1, "absolute path of a file"),
    Refusal("state = false", line: 1, "state must be a string"),
    Refusal("history_days = 0", line: 1, "history_days is 0", "1...36500"),
    Refusal("history_days = '90'", line: 1, "history_days must be a whole number"),
    Refusal("forget_monitors_days = -1", line: 1, "forget_monitors_days is -1", "1...36500"),
    Refusal("history_size = '64 kB'", line: 1, "history_size = \"64 kB\"", "MiB"),
    Refusal("history_size = 4096", line: 1, "history_size = 4096: it must be a size with its unit", "\"32 MiB\""),
    Refusal("history_size = '4 KiB'", line: 1, "history_size = \"4 KiB\" is 4096 bytes; it must lie in 1048576"),
    Refusal("images_size = 0", line: 1, "images_size = 0", "\"32 MiB\""),
    Refusal("images_size = '500'", line: 1, "images_size = \"500\"", "B, KiB, MiB or GiB"),
    Refusal("images_size = '0 MiB'", line: 1, "images_size = \"0 MiB\" is 0 bytes; it must lie in 1..."),
    Refusal("\nglyph_cache = '0 B'", line: 2, "glyph_cache = \"0 B\" is 0 bytes"),
    Refusal("\nmessage = ''", line: 2, "message = \"\": the text is empty", "leave the line out"),
    Refusal("message = ' \t'", line: 1, "the text is empty"),
    Refusal("[role.external]\nmessage = ''", line: 2, "role.external.message = \"\": the text is empty"),
    Refusal("[[monitor]]\nname = 'A'\nmessage = ''", line: 3, "monitor.message = \"\""),
    Refusal("policy = '16384x16384'", line: 1, "policy = \"16384x16384\"", "35389440 (8192x4320)"),
    Refusal("[[monitor]]\nname = 'A'\nmode = '65535x16'", line: 3, "monitor.mode = \"65535x16\"", "16384 pixels"),
    Refusal(
      "[role.external]\n[role.external.scene]\nkind = 'clock'\nzone = 'Europe/Nowhere'", line: 4,
      "role.external.scene: `zone`: there is no time zone Europe/Nowhere", "timedatectl list-timezones"),
    Refusal(
      "[[monitor]]\nname = 'A'\nscene.kind = 'countdown'\nscene.to = '2030-01-01T00:00Z'\n"
        + "scene.then = { kind = 'clock', zone = '../UTC' }",
      line: 5, "monitor.scene: `then.zone`: there is no time zone ../UTC"),
    Refusal("edids = 'monitors'", line: 1, "it must be the absolute path of a folder"),
    Refusal("folders = ['signs']", line: 1, "each must be the absolute path of a folder"),
    Refusal("on_host_suspend = 1", line: 1, "on_host_suspend must be true or false"),
    Refusal("[role.extern]", line: 1, "unknown key \"role.extern\"", "\"external\"?"),
    Refusal("role = 'external'", line: 1, "role must be a table"),
    Refusal("[role]\nexternal = 1", line: 2, "role.external must be a table: [role.external]"),
    Refusal("[role.external]\nconnector = 'DP-1'", line: 2, "\"role.external.connector\"", "the known keys are scene"),
    Refusal("[role.external]\nmode = '1x1'\npolicy = 'native'", line: 2, "mode and policy cannot both be set"),
    Refusal("[role.internal]\naccent = 'red'", line: 2, "role.internal.accent = \"red\"", "#rrggbb"),
    Refusal("[role.internal]\nsafe_area = 50", line: 2, "role.internal.safe_area is 50.0", "0.0...45.0"),
    Refusal("[role.internal]\nfont = ''", line: 2, "role.internal.font is empty"),
    Refusal("[role.internal]\nrotate = 1", line: 2, "role.internal.rotate is 1"),
    Refusal("[role.internal]\ntags = 'lobby'", line: 2, "role.internal.tags must be an array of strings, [\"lobby\"]"),
    Refusal("[role.internal]\ntags = ['a',\n1]", line: 3, "role.internal.tags must be an array of nonempty strings"),
    Refusal("[role.internal]\ntags = ['']", line: 2, "array of nonempty strings"),
    Refusal(
      "[role.internal]\ntags = ['a', '$(id)']", line: 2, "role.internal.tags holds a tag that is \"$(id)\"",
      "A-Z a-z 0-9 . _ : @ -"),
    Refusal("[role.external]\nmessage = 1", line: 2, "role.external.message must be a string"),
    Refusal("[role.external]\nmessage = 'a'\nscene = { kind = 'blank' }", line: 3, "scene and message cannot both"),
    Refusal("[role.external]\nscene = 7", line: 2, "role.external.scene must be a table", "but this is a whole number"),
    Refusal("[[role.external.scene]]\nkind = 'blank'", line: 1, "role.external.scene must be a table"),
    Refusal("[role.external]\nscene = {}", line: 2, "role.external.scene: `kind` is missing"),
    Refusal(
      "[role.external]\n\nscene = { kind = 'clok' }", line: 3, "role.external.scene: `kind` is \"clok\"",
      "did you mean `clock`?"),
    Refusal("[role.external.scene]\nkind = 'card'\ntitel = 'x'", line: 3, "role.external.scene: `titel`", "title"),
    Refusal("[role.external.scene]\nkind = 'now'\n\ntitle = 'x'\nprogress = 2", line: 5, "`progress`"),
    Refusal(
      "[role.external.scene]\nkind = 'now'\ntitle = 'x'\nprogress = inf", line: 4,
      "inf is not a valid number in a scene"),
    Refusal(
      "[[monitor]]\nrole = 'external'\n[monitor.scene]\nkind = 'board'\n[[monitor.scene.columns]]\n"
        + "[[monitor.scene.columns.cards]]\ntitle = 'a'\n[[monitor.scene.columns.cards]]\ntitle = 'b'\naccent = 'red'",
      line: 10, "monitor.scene: `columns[0].cards[1].accent`"),
    Refusal(
      "[role.external]\nscene = '/nowhere/a.json'", line: 2,
      "role.external.scene: /nowhere/a.json: the file does not exist"),
    Refusal("[role.external]\nscene = '/tmp'", line: 2, "/tmp: it is not a regular file"),
    Refusal("[[monitor]]\nproduct = 65536\npolicy = 'native'", line: 2, "monitor.product is 65536", "0...65535"),
    Refusal("[[monitor]]\nproduct = 'A0C4'\npolicy = 'native'", line: 2, "a whole number"),
    Refusal("[[monitor]]\nserial = 0\npolicy = 'native'", line: 2, "1...4294967295"),
    Refusal(
      "[[monitor]]\nname = 'A'\npolicy = 'native'\n[[monitor]]\nname = 'B'\npolcy = 'native'", line: 6, "policy\"?"),
    Refusal("a = 1\nb = 2\nmessage = 3", line: 1, "unknown key \"a\""),
    Refusal("message = 'fine'\npolicy = ", line: 2, "value"),
    Refusal("message = 'one'\nmessage = 'two'", line: 2, "message"),
    Refusal("message = 'never ends", line: 1, "string"),
    Refusal("message = \"\"\"\nnever ends\n", line: 1, "string"),
    Refusal("message = 'fine'\npolicy = 'nat\u{0}ive'", line: 2, "control character (0)"),
    Refusal(String(repeating: "[", count: 4000), line: 1, "expected a key, found"),
    Refusal("\u{FEFF}[=]", line: 1, "expected a key, found \"=\""),
    Refusal("message = 'fine'\n[\nfont = 'x'", line: 2, "the end of the line"),
    Refusal("policy = \n[[ é ]]", line: 1, "value"),
    Refusal("[]", line: 1),
    Refusal("message = " + String(repeating: "[", count: 4000), line: 1),
    Refusal("atomic = 99999999999999999999999", line: 1, "too large"),
    Refusal("policy = native", line: 1, "in quotes: \"native\""),
    Refusal("message = 12:30:00", line: 1, "a date or a time"),
    Refusal("message = 'a' 'b'", line: 1, "expected the end of the line, found"),
  ]

  @Test(arguments: refusals)
  func `An invalid file is rejected with the line and the reason`(refusal: Refusal) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try SettingsFile.parse(refusal.text, name: "placard.toml")
    }
    #expect(error.file == "placard.toml")
    #expect(error.line == refusal.line, "\(error)")
    for words in refusal.words { #expect(error.reason.contains(words), "\(error)") }
  }

  @Test func `An error reads as file, line and reason`() {
    let error = ConfigurationError(file: "a.toml", line: 3, reason: "because")
    #expect("\(error)" == "a.toml:3: because")
    #expect("\(ConfigurationError(file: "a.toml", line: nil, reason: "because"))" == "a.toml: because")
  }

  @Test func `Randomly mangled texts are accepted or rejected, but never trap`() {
    let sample = Array(Self.sample.unicodeScalars)
    let seed = UInt64.random(in: .min ... .max)
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var refused = 0
    for _ in 0..<2000 {
      var scalars = sample
      for _ in 0...next(4) { scalars[next(scalars.count)] = Self.odd[next(Self.odd.count)] }
      if next(3) == 0 { scalars.removeLast(next(scalars.count)) }
      if next(3) == 0 { scalars.removeFirst(next(scalars.count + 1)) }
      do {
        _ = try SettingsFile.parse(String(String.UnicodeScalarView(scalars)), name: "random")
      } catch {
        refused += 1
        #expect(error.line ?? 1 >= 1, "seed \(seed): \(error)")
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  /// Characters to insert: those with a meaning in TOML, and unusual ones.
  private static let odd = Array(
    "[[[]]]{}\"'\\#=.,+-_:09aefintuxTZ \t\r\n\n\u{0B}\u{0}\u{7F}\u{A0}\u{2028}\u{FEFF}é𝄞".unicodeScalars)

  private static let sample = """
    policy = "native" # why
    [style]
    safe_area = 3.5
    font = '''a
    b'''
    [[monitor]]
    "name" = "A\\u00e9"
    product = 0xA0C4
    date = 1979-05-27T07:32:00-08:00
    mode = '1920x1080@60'
    style.x = { a = [1, 2, { b = "]" }] }
    [ a . "b" ]
    c = +1_0.5e-1
    d = inf
    """
}
