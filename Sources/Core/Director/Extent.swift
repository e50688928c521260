import Layout
import Scenes

/// How long what a display shows is, so that it can be turned.
struct Extent: Hashable, Sendable {
  /// How many pages there are.
  var pages = 1
  /// Where headings are, by their anchors: shares as in `Place`.
  var headings: [String: Double] = [:]

  /// The place that is so many pages after another one, or before it. What flows page by page comes to the beginning of
  /// one.
  func place(pages count: Int, from place: Place, _ flow: MarkdownText.Flow) -> Place {
    let share = share(of: place)
    let count = min(max(count, -pages), pages)
    switch flow {
    case .pages: return .page(min(max(Place.page(at: share, of: pages) + count, 0), pages - 1), of: pages)
    case .scroll: return .share(min(max(share + Double(count) / Double(max(1, pages - 1)), 0), 1))
    }
  }

  /// The page that a place is on, counted from 0.
  func page(at place: Place) -> Int { Place.page(at: share(of: place), of: pages) }

  private func share(of place: Place) -> Double {
    switch place {
    case .share(let share): share
    case .heading(let anchor): headings[anchor] ?? 0
    }
  }
}

extension View.Content {
  /// The place in the text that is seen, also in a mirror; nil for what has no pages.
  var place: Place? {
    switch self {
    case .markdown(_, let place): place
    case .mirror(let mirrored): mirrored.view.content.place
    default: nil
    }
  }
}

extension Output.Showing {
  /// What a painted frame of a moment shows, with the layout's warnings.
  init(_ shown: Shown, _ moment: ResolvedScene, _ painted: Painter.Painted) {
    self.init(
      shown: shown, seen: moment.seen, place: moment.view.content.place,
      warnings: moment.warnings + painted.warnings, lostPictures: painted.lostPictures, extent: painted.extent)
  }
}

extension Extent {
  /// How long a list's text is.
  init(_ list: DisplayList) {
    pages = max(1, list.pages)
    headings = Dictionary(list.headings.map { ($0.anchor, $0.share) }) { first, _ in first }
  }
}
