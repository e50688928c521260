/// The visible page of a content whose pages turn by themselves.
struct Paging {
  /// The position of the page.
  var place: Place
  /// The time of the next page, in milliseconds since 1970; nil if the page stays.
  var nextChange: Int64?

  /// Creates the page at a time.
  ///
  /// - Parameters:
  ///   - seconds: The time for which each page is shown; 0 to stay on a page.
  ///   - context: The number of pages, and the time from which they turn.
  init(_ seconds: Int, _ context: ViewContext) {
    place = context.place
    guard seconds > 0, context.knownPages > 1 else { return }
    let length = Int64(min(seconds, 86400)) * 1000
    let began = ViewContext.bounded(context.began)
    let turns = max(0, ViewContext.bounded(context.now) - began) / length
    if turns > 0 { place = place.turned(turns, of: Int64(context.knownPages)) }
    nextChange = began + (turns + 1) * length
  }
}

extension Place {
  /// Returns the page after a number of page turns, wrapping around; a heading counts as the first page.
  fileprivate func turned(_ turns: Int64, of pages: Int64) -> Place {
    var page = 0
    if case .share(let share) = self { page = Place.page(at: share, of: Int(pages)) }
    return .page((page + Int(turns % pages)) % Int(pages), of: Int(pages))
  }
}
