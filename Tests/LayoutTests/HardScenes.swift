import Geometry
import Scenes

/// Views of every kind with more content than any display can show.
enum HardScenes {
  static let style = Style(font: "DejaVu Sans")

  static let long = String((0..<100).map { "word\($0) " }.joined().prefix(600))
  private static let unbroken = String(repeating: "Donaudampf", count: 60)

  private static func card(_ number: Int) -> Card {
    Card(title: "\(number) \(long)", content: number.isMultiple(of: 2) ? unbroken : long, footer: long)
  }

  /// The views whose ink stays inside the safe area, by name.
  static let inside: [(name: String, content: View.Content)] = [
    (
      "table",
      .table(
        TableView(
          title: long, columns: [.init(title: "Time"), .init(title: long), .init(title: "Track", alignment: .end)],
          rows: (0..<30).map { .init(["10:04", long, "\($0)"], isHighlighted: $0 % 3 == 0) }, note: "14:05"))
    ),
    ("card", .card(Card(title: long, content: String(repeating: long, count: 4), footer: long))),
    ("card of a title", .card(Card(title: unbroken + unbroken))),
    ("card without anything", .card(Card())),
    ("board", .board(Board(title: long, columns: [Board.Column(title: long, cards: (0..<40).map(card))]))),
    (
      "board of many columns",
      .board(Board(columns: (0..<12).map { Board.Column(title: "Column \($0)", cards: [card($0)]) }))
    ),
    ("board without cards", .board(Board(title: "Empty", columns: [Board.Column(title: "Nothing", cards: [])]))),
    (
      "now",
      .now(NowPlaying(title: long, subtitle: long, detail: long, image: "/no/such/picture.png", progress: 7))
    ),
    ("now of a title", .now(NowPlaying(title: "سلام عليكم", progress: .nan))),
    ("clock", .clock(ClockFace(time: "12:59:59 pm", date: long, caption: long))),
    ("clock of words", .clock(ClockFace(time: "", date: nil))),
    ("countdown", .countdown(CountdownFace(title: long, remaining: "123456789 days 23:59:59"))),
    ("qr", .qr(QRPanel(text: String(repeating: "x", count: 1000), caption: long))),
    ("qr without text", .qr(QRPanel(text: "", caption: unbroken))),
    ("markdown", .markdown(MarkdownText(markdown), .share(0.5))),
    ("markdown's end", .markdown(MarkdownText(markdown, flow: .scroll), .share(1))),
    ("huge markdown", .markdown(MarkdownText(markdown, size: 1e9), .heading("a"))),
    (
      "controller",
      .controller(
        ControllerPanel(
          address: "http://" + unbroken,
          displays: (0..<30).map { .init(name: "DP-\($0) \(long)", state: "lit", detail: long) },
          message: long))
    ),
    (
      "controller without address",
      .controller(
        ControllerPanel(host: unbroken, displays: [.init(name: "DP-1", state: "lit", detail: "first screen")]))
    ),
    ("first screen", .controller(ControllerPanel(host: "lobby-pi"))),
    ("first screen without host", .controller(ControllerPanel())),
    ("first screen with address", .controller(ControllerPanel(host: "lobby-pi", address: "http://192.168.7.20:8080/"))),
    (
      "long first screen",
      .controller(ControllerPanel(host: unbroken, address: "http://\(unbroken.prefix(63)).example:8080/"))
    ),
    (
      "identify",
      .identify(
        IdentityPanel(name: unbroken, monitor: long, mode: long, role: "external", address: "http://" + unbroken))
    ),
    ("identify in a word", .identify(IdentityPanel(name: "1"))),
  ]

  /// The views in which something does not fit or is missing.
  static let warned: Set = [
    "card", "card of a title", "board", "board of many columns", "now", "clock", "countdown", "qr", "qr without text",
    "controller", "controller without address", "long first screen", "identify", "markdown", "markdown's end",
    "huge markdown", "table",
  ]

  /// The views that extend to the display's edges.
  static let whole: [View.Content] =
    TestPattern.allCases.map { .pattern($0) }
    + ImagePanel.Fit.allCases.map { .image(ImagePanel(path: "/none", fit: $0)) }
    + [
      .ticker(Ticker(long)), .ticker(Ticker(String(repeating: unbroken, count: 30), speed: .max)),
      .ticker(Ticker(" \n ")),
      .mirror(MirroredView(View(.ticker(Ticker(long, speed: .min))), pixels: Size(1000, 700), scale: 2)),
      .blank, .mirror(MirroredView(View(.card(card(1))), pixels: Size(1000, 10), scale: 2)),
      .mirror(MirroredView(View(.blank), pixels: Size(0, 0), scale: 0)),
    ]

  static let markdown =
    """
    # \(long)
    \(unbroken) `\(unbroken)` ~~\(long)~~ ![alternative](missing.png)

    > > - 1. > deep \(long)

    ```
        \(unbroken)
    ```
    | a | \(long) | c | d | e | f |
    |---|:-:|--:|---|---|---|
    | \(unbroken) | x | \(long) | 1 | 2 |
    """ + String(repeating: "\n\n" + String(repeating: "> - ", count: 40) + "deep\n\n## b\n\ntext", count: 5)

  /// Display sizes from a watch to a video wall.
  static let sizes: [(size: Size, scale: Int)] = [
    (Size(800, 480), 1), (Size(1024, 768), 1), (Size(1280, 720), 1), (Size(1920, 1080), 1), (Size(1080, 1920), 1),
    (Size(3440, 1440), 1), (Size(3840, 2160), 2),
  ]
}
