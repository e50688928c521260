/// The table of positions and sizes, for each kind of scene and breakpoint.
///
/// Lengths are in units, where the display's short side is 1080. A text is set in its largest size if it fits its box,
/// and otherwise in a smaller one. At its smallest size, it is truncated.
enum LayoutRules {
  /// The aspect ratios from which on a display is wide, and below which it is narrow.
  static let wideAspect = 2.1
  static let narrowAspect = 1.5
  /// The length of the short side below which a display is small, in logical pixels.
  static let smallSide = 600.0
  /// The legibility limit, 2.5% of the height of a landscape display.
  static let smallestText = 27.0

  /// The line limit up to which a text counts as a title, whose lines are balanced.
  static let balancedLines = 8

  // The shares of the text color that are mixed into the background.
  static let quiet = 0.68
  static let faint = 0.22
  static let panel = 0.09

  // swift-format-ignore
  enum Common {
    //                            narrow              regular             wide                portrait
    static let margin   = Rule(   20.0,               44.0,               56.0,               32.0)
    static let gap      = Rule(   36.0,               48.0,               56.0,               40.0)
    // The standard sizes.
    static let hero     = Rule(TextSize(150, 60),  TextSize(150, 56),  TextSize(160, 56),  TextSize(124, 52))
    static let title    = Rule(TextSize(92, 44),   TextSize(84, 40),   TextSize(84, 40),   TextSize(76, 40))
    static let heading  = Rule(TextSize(64, 38),   TextSize(56, 34),   TextSize(56, 34),   TextSize(54, 34))
    static let body     = Rule(TextSize(48, 34),   TextSize(42, 30),   TextSize(42, 30),   TextSize(42, 30))
    static let caption  = Rule(TextSize(38, 30),   TextSize(34, 28),   TextSize(34, 28),   TextSize(34, 28))
  }

  // swift-format-ignore
  enum Card {
    //                              narrow              regular             wide                portrait
    static let bar        = Rule(   16.0,               16.0,               18.0,               16.0)
    static let title      = Rule(TextSize(150, 60),  TextSize(150, 56),  TextSize(160, 56),  TextSize(150, 56))
    static let content    = Rule(TextSize(84, 38),   TextSize(84, 34),   TextSize(84, 34),   TextSize(88, 34))
    // The title's maximum share of the height above the content; with 1, it is beside the content, at `sideShare` of
    // the width.
    static let titleShare = Rule(   0.45,               0.45,               1.0,                0.4)
    static let sideShare  = 0.38
    static let titleLines = 4
  }

  // swift-format-ignore
  enum Board {
    //                              narrow              regular             wide                portrait
    // The minimum width of a column, or its minimum height if columns are stacked.
    static let column     = Rule(   420.0,              400.0,              420.0,              260.0)
    static let isStacked  = Rule(   false,              false,              false,              true)
    static let gap        = Rule(   24.0,               28.0,               32.0,               28.0)
    static let padding    = Rule(   22.0,               24.0,               26.0,               24.0)
    static let title      = Rule(TextSize(46),       TextSize(42),       TextSize(42),       TextSize(44))
    static let content    = Rule(TextSize(36),       TextSize(33),       TextSize(33),       TextSize(35))
    static let footer     = Rule(TextSize(28),       TextSize(28),       TextSize(28),       TextSize(28))
    static let bar        = 10.0
    static let radius     = 14.0
    static let titleLines = 3
    static let contentLines = 8
    // The text scales, tried in this order until all cards fit.
    static let scales     = [1.35, 1.15, 1.0, 0.85]
  }

  // swift-format-ignore
  enum Table {
    //                              narrow              regular             wide                portrait
    static let text       = Rule(   56.0,               52.0,               52.0,               46.0)
    static let gap        = 36.0
    // The height of a row, relative to the size of its letters.
    static let pitch      = 1.62
    // The scales of the letters.
    static let scales     = 0.6...2.0
    static let line       = 4.0
    // The share of the accent color in the background of a highlighted row.
    static let highlight  = 0.3
  }

  // swift-format-ignore
  enum Now {
    //                              narrow              regular             wide                portrait
    static let isStacked  = Rule(   false,              false,              false,              true)
    // The side of the image as shares of the area's width and height.
    static let across     = Rule(   0.40,               0.42,               0.36,               1.0)
    static let down       = Rule(   0.62,               0.80,               0.90,               0.56)
    static let title      = Rule(TextSize(110, 52),  TextSize(116, 52),  TextSize(132, 56),  TextSize(104, 52))
    static let bar        = Rule(   16.0,               14.0,               16.0,               16.0)
    static let titleLines = 3
    // The detail is shown on displays that are wider than this, in logical pixels.
    static let detailWidth = 1024.0
  }

  // swift-format-ignore
  enum Figures {
    //                              narrow              regular             wide                portrait
    // The maximum share of the area's width for the digits.
    static let across     = Rule(   1.0,                0.94,               0.86,               1.0)
    static let suffix     = 0.34
    // The aspect ratio from which on all texts are in one line.
    static let lineAspect = 5.0
  }

  // swift-format-ignore
  enum Code {
    //                              narrow              regular             wide                portrait
    static let isStacked  = Rule(   false,              false,              false,              true)
    static let share      = Rule(   0.52,               0.52,               0.45,               0.62)
  }

  // swift-format-ignore
  enum Controller {
    //                              narrow              regular             wide                portrait
    static let isStacked  = Rule(   false,              false,              false,              true)
    static let side       = Rule(   0.36,               0.34,               0.28,               0.32)
    static let mostLines  = Rule(   6,                  8,                  8,                  10)
    static let padding    = Rule(   30.0,               32.0,               32.0,               30.0)
  }

  // swift-format-ignore
  enum Start {
    //                              narrow              regular             wide                portrait
    static let isStacked  = Rule(   false,              false,              false,              true)
    // The product's logo and name, in the upper corner.
    static let mark       = Rule(   88.0,               84.0,               84.0,               92.0)
    // The host's name beside the code, alone, and beside the list of displays.
    static let host       = Rule(TextSize(120, 48),  TextSize(140, 48),  TextSize(148, 48),  TextSize(160, 48))
    static let hostAlone  = Rule(TextSize(190, 48),  TextSize(220, 48),  TextSize(230, 48),  TextSize(190, 48))
    static let hostAside  = Rule(TextSize(88, 40),   TextSize(84, 40),   TextSize(88, 40),   TextSize(88, 40))
    static let lead       = Rule(TextSize(54, 34),   TextSize(56, 34),   TextSize(60, 34),   TextSize(56, 34))
    static let leadAside  = Rule(TextSize(44, 30),   TextSize(42, 30),   TextSize(44, 30),   TextSize(48, 30))
    static let address    = Rule(TextSize(68, 34),   TextSize(72, 34),   TextSize(76, 34),   TextSize(72, 34))
    static let command    = Rule(TextSize(104, 34),  TextSize(116, 34),  TextSize(120, 34),  TextSize(84, 34))
    static let note       = Rule(TextSize(42, 30),   TextSize(40, 30),   TextSize(40, 30),   TextSize(42, 30))
    static let noteAside  = Rule(TextSize(36, 28),   TextSize(34, 28),   TextSize(34, 28),   TextSize(36, 28))
    static let padding    = Rule(   34.0,               36.0,               38.0,               34.0)
    // The side of the code as a share of the width, or of the height if it is below the text.
    static let code       = Rule(   0.40,               0.41,               0.41,               0.48)
    // The maximum share of the height for the code beside the list of displays.
    static let codeAside  = Rule(   0.52,               0.52,               0.47,               1.0)
    // The maximum aspect ratio of the content: on wider displays, its parts would be too far apart.
    static let widest     = 1.9
  }

  // swift-format-ignore
  enum Identity {
    //                              narrow              regular             wide                portrait
    static let isStacked  = Rule(   false,              false,              false,              true)
    // The share of the height for everything below the name.
    static let foot       = Rule(   0.46,               0.44,               0.46,               0.62)
    // The name alone is as large as the width allows.
    static let name       = TextSize(1080, 60)
  }

  enum Banner {
    /// The largest number of lines that are centered by default.
    static let centeredLines = 5
    /// The share of the size at which the given lines are kept.
    static let keptSize = 0.75
    /// The factor from which on a short text is enlarged until its ink fills the display.
    static let leastGain = 1.02
  }

  enum Zones {
    /// The least short side of the main scene, in logical pixels.
    static let smallestMain = 160.0
    /// The margin of texts at the edges between zones, at most a tenth of a zone.
    static let inset = 26.0
  }

  // swift-format-ignore
  enum Ticker {
    //                              narrow              regular             wide                portrait
    static let size       = Rule(   220.0,              260.0,              320.0,              200.0)
    // The maximum lengths of one typeset segment and of the whole line, in pixels.
    static let piece      = 16384
    static let longest    = 1 << 22
  }

  // swift-format-ignore
  enum Markdown {
    //                              narrow              regular             wide                portrait
    static let size       = Rule(   44.0,               40.0,               40.0,               40.0)
    static let columns    = Rule(   1,                  1,                  2,                  1)
    static let measure    = 70.0
    static let headings   = [1.9, 1.45, 1.15]
    // The least width of lines, in ems.
    static let narrowest  = 13.0
    static let lineHeight = 1.22
    static let code       = 0.85
    static let image      = 0.7
    static let sizes      = 27.0...270.0
    // The factors by which the letters of a short page grow, in ascending order.
    static let growth     = [1.15, 1.3, 1.5, 1.75, 2.0, 2.3, 2.6, 3.0]
    // The factor by which long lines of code may be scaled down when the letters of a short page grow.
    static let leastCodeScale = 0.8
  }
}
