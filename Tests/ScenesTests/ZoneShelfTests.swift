import Calendars
import Testing

@testable import Scenes

struct ZoneShelfTests {
  @Test func `A zone is read once, until all are forgotten, also where there is none`() {
    var names: [String?] = []
    let shelf = ZoneShelf { name throws(ZoneError) in
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

  @Test func `No number of names fills the memory`() {
    let shelf = ZoneShelf { name throws(ZoneError) in throw .unknown(name: name ?? "") }
    for number in 0..<1000 { _ = shelf["\(number)"] }
    #expect(shelf.count <= 64)
  }
}
