import Control
import JSON
import NIOHTTP1
import Primitives

/// A page of a list; the `Link` header of the answer leads to the next one (RFC 8288).
struct Page {
  /// The permitted number of items in a page.
  static let limits = 1...1000
  /// The maximum size of a page's JSON in bytes, which only its last item may exceed.
  static let bytes = 256 << 10

  /// The query fields that select a page.
  static let fields = [
    Endpoint.Field(
      "limit", APISchema.integer(limits),
      "The maximum number of items; an answer may have fewer and still have a next page."),
    Endpoint.Field(
      "after", APISchema.text("20.17", pattern: #"^[0-9]{1,9}\."#),
      "The place where the previous page ended, from its Link header."
    ),
  ]

  private var body: [UInt8] = Array("[".utf8)
  private var count = 0
  private let most: Int

  init(most: Int) { self.most = most }

  /// The number of items that can still be added.
  var room: Int { body.count < Self.bytes ? most - count : 0 }

  /// The page as JSON.
  var finished: [UInt8] { body + [UInt8(ascii: "]")] }

  /// Adds an item; returns false if the page is full.
  mutating func add(_ item: some Encodable) -> Bool {
    guard room > 0 else { return false }
    if count > 0 { body.append(UInt8(ascii: ",")) }
    body += Response.encode(item)
    count += 1
    return true
  }

  /// Returns the items that fit into a page as JSON, with a pause after every 64 items.
  ///
  /// - Parameters:
  ///   - items: The items, from the first one of this page.
  ///   - most: The maximum number of items in the page.
  ///   - pageQueue: The queue in which the page is made.
  /// - Returns: The body, and the number of items in it.
  static func of(_ items: [some Encodable], most: Int, pausing pageQueue: PageQueue) async -> (
    body: [UInt8], count: Int
  ) {
    var page = Page(most: most)
    for item in items {
      guard page.add(item) else { break }
      if page.count % 64 == 0 { await pageQueue.pause() }
    }
    return (page.finished, page.count)
  }
}

extension Call {
  /// The number of items read at once: reports with large texts take time and memory to make.
  private static let step = 4

  /// Returns the page of a list that the query requests, reading the list in small parts.
  ///
  /// - Parameters:
  ///   - key: Returns the key of an item in the list; empty if it has none.
  ///   - read: Reads a number of items after a place.
  /// - Throws: A problem with a field of the query, or an error of `read`.
  /// - Returns: The items that fit, from the place in the query, and the target of the next page.
  func page<Item: Encodable & Sendable>(
    by key: (Item) -> String, _ read: (ListPlace?, Int) async throws -> ListPart<Item>
  ) async throws -> Answer {
    let (most, place) = (try pageLimit() ?? Page.limits.upperBound, try listPlace())
    return try await pageQueue.run { try await page(most: most, from: place, by: key, read) }
  }

  /// Makes a page, with a pause between two parts.
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
      await pageQueue.pause()
    }
  }

  /// Returns the page of a short list that is already complete, without waiting for the pages of other clients.
  func page<Item: Encodable & Sendable>(_ items: [Item], by key: (Item) -> String) async throws -> Answer {
    let (most, place) = (try pageLimit() ?? Page.limits.upperBound, try listPlace())
    return try await page(most: most, from: place, by: key) { place, most in
      items.part(after: place, most: most, by: key) { $0 }
    }
  }

  /// Returns the place at which the previous page ended, or nil for the first page.
  private func listPlace() throws(Problem) -> ListPlace? {
    guard let text = query["after"] else { return nil }
    // A key that begins with a combining mark forms one Character with the separator, so UTF-8 is split.
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = (1...9).contains(parts[0].count) && parts[0].allSatisfy { (0x30...0x39).contains($0) }
    guard parts.count == 2, isNumber, let count = Int(String(parts[0]) ?? "") else {
      throw .malformed("The field after is \(text): send the target of the Link header as received.")
    }
    return ListPlace(count: count, key: String(parts[1]) ?? "")
  }

  private func link(after place: ListPlace) throws(Problem) -> String {
    try link(after: "\(place.count).\(place.key)")
  }

  /// Returns the number of items that the query requests, or nil if it contains none.
  func pageLimit() throws(Problem) -> Int? {
    try number("limit", in: Page.limits, "a number of items, from 1 to \(Page.limits.upperBound)")
  }

  /// Returns the target of the page after a place: that of this request, with another `after`.
  func link(after place: String) throws(Problem) -> String {
    var fields = query
    fields["after"] = place
    let pairs = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }
    return "\(try Target(request.target).path)?\(pairs.joined(separator: "&"))"
  }
}

extension Answer {
  /// Returns an answer with a page of a list and the target of the next page, or nil for the last page.
  static func page(_ body: [UInt8], next: String?) -> Answer {
    var response = Response(.ok, type: "application/json", body: body)
    if let next { response.headers.add(name: "link", value: "<\(next)>; rel=\"next\"") }
    return .response(response)
  }
}
