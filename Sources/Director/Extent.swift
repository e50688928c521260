import Layout
import Scenes

/// How long what a display shows is, so that it can be turned.
struct Extent: Hashable, Sendable {
  /// How many pages there are.
  var pages = 1
  /// Where headings are, by their anchors: shares as in `Place`.
  var headings: [String: Double] = [:]

  /// The place that is so many pages after another one, or before it.
  func place(pages count: Int, from place: Place) -> Place {
    guard pages > 1 else { return .start }
    let last = Double(pages - 1)
    let page = (share(of: place) * last).rounded() + Double(min(max(count, -pages), pages))
    return .share(min(max(page / last, 0), 1))
  }

  private func share(of place: Place) -> Double {
    switch place {
    case .share(let share): share
    case .heading(let anchor): headings[anchor] ?? 0
    }
  }
}

extension Extent {
  /// How long a list's text is.
  init(_ list: DisplayList) {}
}
