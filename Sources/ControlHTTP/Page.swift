import Control
import JSON
import NIOHTTP1

/// A part of a list: the client asks for the next one by the `Link` header of the answer (RFC 8288).
struct Page {
  /// How many items of a list can be asked for at once.
  static let limits = 1...1000
  /// How many bytes of JSON a page has at most, but for its last item.
  static let bytes = 256 << 10

  /// The fields of a query that ask for a page.
  static let fields = [
    Endpoint.Field(
      "limit", APISchema.integer(limits), "At most this number of items; an answer may have fewer and a next page."),
    Endpoint.Field(
      "after", APISchema.text("20.17", pattern: #"^[0-9]{1,9}\."#), "Where the page before ended, from its Link header."
    ),
  ]

  private var body: [UInt8] = Array("[".utf8)
  private var count = 0
  private let most: Int

  private init(most: Int) { self.most = most }

  /// Adds an item; false where the page is full.
  private mutating func add(_ item: some Encodable) -> Bool {
    guard count < most, body.count < Self.bytes else { return false }
    if count > 0 { body.append(UInt8(ascii: ",")) }
    body += Response.encode(item)
    count += 1
    return true
  }

  /// The items that fit into a page, as JSON.
  ///
  /// - Parameters:
  ///   - items: The items, from the first one of this page.
  ///   - most: Most items of the page.
  /// - Returns: The body, and how many of the items it has.
  static func of(_ items: some Sequence<some Encodable>, most: Int) -> (body: [UInt8], count: Int) {
    var page = Page(most: most)
    for item in items where !page.add(item) { break }
    page.body.append(UInt8(ascii: "]"))
    return (page.body, page.count)
  }
}

/// Where a page of a list ended: the number of items before, and the key of the last one, which finds it again where
/// items were added or removed in between.
private struct PageEnd {
  let count: Int
  let key: String

  /// `20.17`
  var text: String { "\(count).\(key)" }

  init(count: Int, key: String) { (self.count, self.key) = (count, key) }

  init(parsing text: String) throws(Problem) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = (1...9).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard parts.count == 2, isNumber, let count = Int(parts[0]) else {
      throw .malformed("The field after is \(text): send the target of the Link header as it came.")
    }
    self.init(count: count, key: String(parts[1]))
  }

  /// The place of the first item of the next page.
  func next<Item>(in items: [Item], by key: (Item) -> String) -> Int {
    let known = items.firstIndex { !self.key.isEmpty && key($0) == self.key }
    return known.map { $0 + 1 } ?? min(count, items.count)
  }
}

extension Call {
  /// The page of a list that the query asks for.
  ///
  /// - Parameters:
  ///   - items: All items.
  ///   - key: What names an item in the list; empty where nothing does.
  /// - Returns: The items from the place that the query names, as many as fit, and the target of the next page.
  /// - Throws: The problem of a field of the query.
  func page<Item: Encodable>(_ items: [Item], by key: (Item) -> String) throws(Problem) -> Answer {
    let most = try pageLimit() ?? Page.limits.upperBound
    var first = 0
    if let after = query["after"] { first = try PageEnd(parsing: after).next(in: items, by: key) }
    let page = Page.of(items[first...], most: most)
    let end = first + page.count
    guard page.count > 0, end < items.count else { return .page(page.body, next: nil) }
    return .page(page.body, next: try link(after: PageEnd(count: end, key: key(items[end - 1])).text))
  }

  /// The number of items that the query asks for; nil where it names none.
  func pageLimit() throws(Problem) -> Int? {
    try number("limit", in: Page.limits, "a number of items, from 1 to \(Page.limits.upperBound)")
  }

  /// The target of the page that begins after a place: this request's, with another `after`.
  func link(after place: String) throws(Problem) -> String {
    var fields = query
    fields["after"] = place
    let pairs = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }
    return "\(try Target(request.target).path)?\(pairs.joined(separator: "&"))"
  }
}

extension Answer {
  /// A page of a list, and the target of the next one; nil where this is the last one.
  static func page(_ body: [UInt8], next: String?) -> Answer {
    var response = Response(.ok, type: "application/json", body: body)
    if let next { response.headers.add(name: "link", value: "<\(next)>; rel=\"next\"") }
    return .response(response)
  }
}
