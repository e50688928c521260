import Layout
import Scenes
import Typesetting

/// The length of a display's content, in pages, for scrolling through it.
struct Extent: Hashable, Sendable {
  /// The number of pages.
  var pages = 1
  /// The numbers of pages of the zones beside the main scene, in the order of the scene's progress.
  var zonePages: [Int] = []
  /// The time that one pass of a ticker takes, in milliseconds; nil for other content.
  var pass: Int64?
  /// The positions of the headings by their anchors, as shares like those of `Place`.
  var headings: [String: Double] = [:]
  /// The height of a capital letter in the smallest text on screen, in pixels of the mode; nil if there is no text.
  var smallestCapital: Double?

  /// Returns the place that is `count` pages after another one, or before it if negative. Content that flows in pages
  /// starts at the beginning of a page.
  func place(pages count: Int, from place: Place, _ flow: MarkdownText.Flow) -> Place {
    let share = share(of: place)
    let count = min(max(count, -pages), pages)
    switch flow {
    case .pages: return .page(min(max(Place.page(at: share, of: pages) + count, 0), pages - 1), of: pages)
    case .scroll: return .share(min(max(share + Double(count) / Double(max(1, pages - 1)), 0), 1))
    }
  }

  /// Returns whether pages turn at the same times as with another extent, and a line ends its pass.
  func turns(like other: Extent) -> Bool {
    pages == other.pages && zonePages == other.zonePages && pass == other.pass
  }

  /// Returns the page of a place, counted from 0.
  func page(at place: Place) -> Int { Place.page(at: share(of: place), of: pages) }

  private func share(of place: Place) -> Double {
    switch place {
    case .share(let share): share
    case .heading(let anchor): headings[anchor] ?? 0
    }
  }
}

extension View.Content {
  /// The visible place in the text, including that of a mirrored display; nil for content without pages.
  var place: Place? {
    switch self {
    case .markdown(_, let place): place
    case .table(let table): table.place
    case .mirror(let mirrored): mirrored.view.content.place
    case .zones(let zoned): zoned.main.content.place
    default: nil
    }
  }
}

extension Extent {
  /// Creates the extent of a display list that was laid out with a typesetter.
  init(_ list: DisplayList, _ typesetter: Typesetter) {
    pages = max(1, list.pages)
    zonePages = list.zonePages
    if let strip = list.strip, let speed = strip.speed, speed > 0 { pass = Int64(strip.length) * 1000 / Int64(speed) }
    headings = Dictionary(list.headings.map { ($0.anchor, $0.share) }) { first, _ in first }
    smallestCapital = list.smallestCapital(with: typesetter)
  }
}
