import Calendars
import Testing

@testable import Scenes

struct ZoneShelfTests {
  @Test func `A zone, even a missing one, is read once until the cache is cleared`() {
    var names: [String?] = []
    let shelf = ZoneCache { name throws(ZoneError) in
      names.append(name)
      if name == "Mars/Base" { throw .unknown(name: "Mars/Base") }
      return .utc
    }
    for _ in 0..<3 {
      #expect(shelf[nil].warning == nil)
      #expect(shelf["Mars/Base"].warning != nil)
    }
    #expect(names == [nil, "Mars/Base"])
    shelf.forget()
    _ = shelf[nil]
    #expect(names == [nil, "Mars/Base", nil])
  }

  @Test func `The cache stays bounded for any number of names`() {
    let shelf = ZoneCache { name throws(ZoneError) in throw .unknown(name: name ?? "") }
    for number in 0..<1000 { _ = shelf["\(number)"] }
    #expect(shelf.count <= 64)
  }
}
