import Calendars
import Testing

@testable import Scenes

struct ZoneCacheTests {
  @Test func `A zone, even a missing one, is read once until the cache is cleared`() {
    var names: [String?] = []
    let cache = ZoneCache { name throws(ZoneError) in
      names.append(name)
      if name == "Mars/Base" { throw .unknown(name: "Mars/Base") }
      return .utc
    }
    for _ in 0..<3 {
      #expect(cache[nil].warning == nil)
      #expect(cache["Mars/Base"].warning != nil)
    }
    #expect(names == [nil, "Mars/Base"])
    cache.forget()
    _ = cache[nil]
    #expect(names == [nil, "Mars/Base", nil])
  }

  @Test func `The cache stays bounded for any number of names`() {
    let cache = ZoneCache { name throws(ZoneError) in throw .unknown(name: name ?? "") }
    for number in 0..<1000 { _ = cache["\(number)"] }
    #expect(cache.count <= 64)
  }
}
