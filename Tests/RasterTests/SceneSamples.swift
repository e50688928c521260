import Geometry
import Scenes

/// A realistic view of each kind.
struct SceneSample: Sendable {
  var name: String
  var content: View.Content
  var style = SceneSample.style

  /// The font by family name, because a path has no bold variant.
  static var style: Style { Style(font: "DejaVu Sans") }

  /// The seven sizes at which each golden image is made.
  static let sizes: [(size: Size, scale: Int)] = [
    (Size(800, 480), 1), (Size(1024, 768), 1), (Size(1280, 720), 1), (Size(1920, 1080), 1), (Size(1080, 1920), 1),
    (Size(3440, 1440), 1), (Size(3840, 2160), 2),
  ]

  /// Returns the samples; those with images use `cover.png` in a folder.
  static func all(in folder: String) -> [SceneSample] {
    [
      SceneSample(name: "banner", content: .banner("Gate 17 is boarding now")),
      SceneSample(name: "blank", content: .blank),
      SceneSample(
        name: "ticker", content: .ticker(Ticker("Gate 17 is boarding now\nThe 14:28 to Munich leaves from 4"))),
      SceneSample(name: "ticker-leftwards", content: .ticker(Ticker("ברוכים הבאים לתערוכה 2026")), style: light),
      SceneSample(name: "card", content: .card(card)), SceneSample(name: "board", content: .board(board)),
      SceneSample(name: "now", content: .now(now(folder + "/cover.png")), style: dark),
      SceneSample(name: "image-missing", content: .image(ImagePanel(path: "/no/such/folder/lobby.png"))),
      SceneSample(name: "image", content: .image(ImagePanel(path: folder + "/cover.png")), style: dark),
      SceneSample(
        name: "clock", content: .clock(ClockFace(time: "14:05", date: "Saturday, 21 November 2026", caption: "Berlin"))),
      SceneSample(
        name: "clock-12", content: .clock(ClockFace(time: "9:41:07 pm", date: "Saturday, 21 November 2026")),
        style: dark),
      SceneSample(
        name: "countdown", content: .countdown(CountdownFace(title: "Until launch", remaining: "3 days 04:05:06"))),
      SceneSample(
        name: "qr",
        content: .qr(QRPanel(text: "https://example.org/visit/4711", caption: "Scan to join the guest network")),
        style: light),
      SceneSample(name: "bars", content: .pattern(.bars)), SceneSample(name: "grid", content: .pattern(.grid)),
      SceneSample(name: "gradient", content: .pattern(.gradient)),
      SceneSample(
        name: "mirror",
        content: .mirror(MirroredView(View(.card(card), style: style), pixels: Size(1024, 768), scale: 1))),
      SceneSample(name: "table", content: .table(table)),
      SceneSample(name: "table-leftwards", content: .table(leftwardsTable), style: light),
      SceneSample(name: "zones", content: .zones(zones(folder))),
      SceneSample(name: "zones-panes", content: .zones(panes(folder)), style: dark),
      SceneSample(name: "controller", content: .controller(controller)),
      SceneSample(name: "identify", content: .identify(identity)),
      SceneSample(name: "identify-alone", content: .identify(identityWithoutAddress), style: dark),
      SceneSample(name: "markdown", content: .markdown(MarkdownText(text, folder: folder), .start)),
      SceneSample(
        name: "markdown-end", content: .markdown(MarkdownText(text, folder: folder, flow: .scroll), .share(1)),
        style: light),
    ]
  }

  private static var dark: Style {
    var style = style
    (style.background, style.accent) = (Color(red: 18, green: 18, blue: 20), Color(red: 0x1D, green: 0xB9, blue: 0x54))
    return style
  }

  private static var light: Style {
    var style = style
    (style.foreground, style.background) = (Color(red: 28, green: 30, blue: 36), Color(red: 250, green: 249, blue: 246))
    style.accent = Color(red: 0xC2, green: 0x41, blue: 0x0C)
    return style
  }

  /// Departures, of which two are highlighted.
  static let table = TableView(
    title: "Departures",
    columns: [
      .init(title: "Time"), .init(title: "Destination"), .init(title: "Track", alignment: .end), .init(title: "Status"),
    ],
    rows: [
      .init(["10:04", "Harbour", "2", "On time"]), .init(["10:09", "Airport", "5", "Delayed"], isHighlighted: true),
      .init(["10:15", "Central Station", "11", "On time"]),
      .init(["10:22", "University Hospital and Science Park", "3", "Cancelled"], isHighlighted: true),
      .init(["10:31", "Old Town", "2", ""]), .init(["10:40", "Museum Island", "1", "On time"]),
      .init(["10:44", "Harbour", "2", "On time"]), .init(["10:51", "Zoo", "4", "On time"]),
      .init(["10:58", "Airport", "5", "On time"]), .init(["11:04", "Harbour", "2", "On time"]),
      .init(["11:15", "Central Station", "11", "On time"]), .init(["11:31", "Old Town", "2", "On time"]),
    ], note: "10:02")

  private static let leftwardsTable = TableView(
    title: "رحلات المغادرة",
    columns: [.init(title: "الوقت"), .init(title: "الوجهة"), .init(title: "الرصيف", alignment: .end)],
    rows: [.init(["١٠:٠٤", "الميناء", "٢"]), .init(["١٠:٠٩", "المطار", "١٥"]), .init(["١٠:١٥", "Airport T2", "٣"])],
    isRightToLeft: true)

  /// A notice above a moving line, with the time in a corner and a picture at the side.
  static func zones(_ folder: String) -> ZonedView {
    let clock = ClockFace(time: "14:05")
    return ZonedView(
      View(.card(card), style: style),
      [
        .init(.bottom, View(.ticker(Ticker("The 14:28 to Munich leaves from platform 4")), style: light), size: 0.12),
        .init(.side, View(.image(ImagePanel(path: folder + "/cover.png", fit: .fill)), style: dark), size: 0.25),
        .init(.topRight, View(.clock(clock), style: dark), size: 0.16),
      ])
  }

  /// Four panes below a bar with the time.
  static func panes(_ folder: String) -> ZonedView {
    func halves(_ upper: View, _ lower: View) -> View {
      View(.zones(ZonedView(upper, [.init(.bottom, lower, size: 0.5)])), style: dark)
    }
    let text = MarkdownText("## Today\n\n- Soup of the day\n- Bread with **butter**\n- Apple cake")
    let time = ClockFace(time: "14:05", date: "Saturday, 21 November 2026", caption: "Berlin")
    return ZonedView(
      halves(View(.markdown(text, .start), style: style), View(.now(now(folder + "/cover.png")), style: dark)),
      [
        .init(.top, View(.clock(time), style: light), size: 0.1),
        .init(
          .right,
          halves(
            View(.qr(QRPanel(text: "https://example.org", caption: "Menu")), style: light),
            View(.banner("Kitchen closes at 21:30"), style: style)), size: 0.5),
      ])
  }

  static let card = Card(
    title: "Fire drill at noon",
    content:
      "Please leave the building by the nearest exit and meet at the north car park. The lifts stay shut until the all-clear.",
    footer: "Facilities · until 13:00")

  static let board = Board(
    title: "Departures",
    columns: [
      Board.Column(
        title: "Today",
        cards: [
          Card(title: "ICE 707 Munich", content: "Platform 4 · on time", footer: "14:28"),
          Card(
            title: "RE 1 Frankfurt", content: "Platform 12 · 5 minutes late", footer: "14:35",
            accent: Color(red: 0xE5, green: 0x48, blue: 0x4D)),
          Card(title: "EC 179 Prague", content: "Platform 2", footer: "14:42"),
        ]),
      Board.Column(
        title: "Tonight",
        cards: [
          Card(title: "NJ 40457 Vienna", content: "Sleeper; boarding from 20:50 on", footer: "21:10"),
          Card(title: "IC 2432 Cologne", content: "Cancelled", accent: Color(red: 0xE5, green: 0x48, blue: 0x4D)),
        ]),
      Board.Column(
        title: "Works",
        cards: (1...6).map {
          Card(title: "Line S\($0)", content: "Replacement buses between Westend and Gesundbrunnen")
        }),
    ])

  static func now(_ image: String?) -> NowPlaying {
    NowPlaying(
      title: "Clair de lune", subtitle: "Claude Debussy", detail: "Suite bergamasque · 1905", image: image,
      progress: 0.38)
  }

  static let controller = ControllerPanel(
    address: "http://192.168.7.20:8080",
    displays: [
      ControllerPanel.Line(name: "HDMI-A-1", state: "lit", detail: "Gate 17 is boarding now"),
      ControllerPanel.Line(name: "HDMI-A-2", state: "asleep"),
      ControllerPanel.Line(name: "DP-1", state: "dark", detail: "nothing is plugged in"),
    ], message: "Gate 17 is boarding now")

  static let identity = IdentityPanel(
    name: "HDMI-A-1", monitor: "DEL DELL U2720Q", mode: "1920x1080@60", role: "external",
    address: "http://192.168.7.20:8080")

  static let identityWithoutAddress = IdentityPanel(
    name: "DP-2", monitor: "monitor on DP-2", mode: "3840x2160@59.94 at scale 2 turned by 90°", role: "external")

  static let text = """
    # Welcome to the workshop

    Today we build a **display** that shows *anything*: messages, clocks and `placard show` in one line. See
    [the handbook](https://example.org) for the ~~old~~ new way to mount it.

    ## What you need

    - A monitor of any size
      - with HDMI or DisplayPort
    - A computer with Linux
    - [x] Coffee
    - [ ] Cake

    1. Plug it in.
    2. Run the installer:

    ```sh
    placard setup --everything
      placard show "Hello, world"
    ```

    > Simplicity is prerequisite for reliability.
    > — Edsger W. Dijkstra

    ## Timetable

    | Time  | Topic                     | Room |
    |:------|:--------------------------|-----:|
    | 09:00 | Introduction              |  101 |
    | 10:30 | How light reaches a panel, and how long that takes | 204 |
    | 13:00 | Lunch                     | Roof |

    ![The cover](cover.png)

    ---

    ### Questions

    Ask anybody with a yellow badge. Those who want to know more find the whole story in the library on the second
    floor, where it is quiet and the chairs are soft.
    """
}
