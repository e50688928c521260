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

  init(most: Int) { self.most = most }

  /// How many more items it may have.
  var room: Int { body.count < Self.bytes ? most - count : 0 }

  /// The page as JSON.
  var finished: [UInt8] { body + [UInt8(ascii: "]")] }

  /// Adds an item; false where the page is full.
  mutating func add(_ item: some Encodable) -> Bool {
    guard room > 0 else { return false }
    if count > 0 { body.append(UInt8(ascii: ",")) }
    body += Response.encode(item)
    count += 1
    return true
  }

  /// The items that fit into a page, as JSON, with a pause after every 64 items.
  ///
  /// - Parameters:
  ///   - items: The items, from the first one of this page.
  ///   - most: Most items of the page.
  ///   - gate: Where the page is made.
  /// - Returns: The body, and how many of the items it has.
  static func of(_ items: [some Encodable], most: Int, pausing gate: PageGate) async -> (body: [UInt8], count: Int) {
    var page = Page(most: most)
    for item in items {
      guard page.add(item) else { break }
      if page.count % 64 == 0 { await gate.pause() }
    }
    return (page.finished, page.count)
  }
}

extension Call {
  /// How many items are read at once: reports of large texts take time and memory to make.
  private static let step = 4

  /// The page of a list that the query asks for, which is read in small parts.
  ///
  /// - Parameters:
  ///   - key: What names an item in the list; empty where nothing does.
  ///   - read: Reads some items behind a place.
  /// - Returns: The items from the place that the query names, as many as fit, and the target of the next page.
  /// - Throws: The problem of a field of the query, and what reading throws.
  func page<Item: Encodable & Sendable>(
    by key: (Item) -> String, _ read: (ListPlace?, Int) async throws -> ListPart<Item>
  ) async throws -> Answer {
    let (most, place) = (try pageLimit() ?? Page.limits.upperBound, try listPlace())
    return try await gate.run { try await page(most: most, from: place, by: key, read) }
  }

  /// Pauses between two parts.
  private func page<Item: Encodable & Sendable>(
    most: Int, from start: ListPlace?, by key: (Item) -> String,
    _ read: (ListPlace?, Int) async throws -> ListPart<Item>
  ) async throws -> Answer {
    var page = Page(most: most)
    var place = start
    while true {
      let part = try await read(place, min(Self.step, page.room))
      for (index, item) in part.items.enumerated() {
        guard page.add(item) else { return .page(page.finished, next: try place.map(link)) }
        place = ListPlace(count: part.first + index + 1, key: key(item))
      }
      if part.isLast { return .page(page.finished, next: nil) }
      if page.room == 0 { return .page(page.finished, next: try place.map(link)) }
      await gate.pause()
    }
  }

  /// As `page`, for a short list that is there as a whole. It does not wait for the pages of other clients.
  func page<Item: Encodable & Sendable>(_ items: [Item], by key: (Item) -> String) async throws -> Answer {
    let (most, place) = (try pageLimit() ?? Page.limits.upperBound, try listPlace())
    return try await page(most: most, from: place, by: key) { place, most in
      items.part(after: place, most: most, by: key) { $0 }
    }
  }

  /// Where the page before ended; nil where this is the first one.
  private func listPlace() throws(Problem) -> ListPlace? {
    guard let text = query["after"] else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = (1...9).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard parts.count == 2, isNumber, let count = Int(parts[0]) else {
      throw .malformed("The field after is \(text): send the target of the Link header as it came.")
    }
    return ListPlace(count: count, key: String(parts[1]))
  }

  private func link(after place: ListPlace) throws(Problem) -> String {
    try link(after: "\(place.count).\(place.key)")
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
