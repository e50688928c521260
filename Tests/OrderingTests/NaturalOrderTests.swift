import Ordering
import Testing

struct NaturalOrderTests {
  @Test func `numbers are ordered by value regardless of their length`() {
    let names = ["eDP-1", "Virtual-10", "HDMI-A-2", "Virtual-2", "DP-1", "Virtual-1", "HDMI-A-10", "HDMI-B-1", "DP-01"]
    let sorted = [
      "DP-01", "DP-1", "HDMI-A-2", "HDMI-A-10", "HDMI-B-1", "Virtual-1", "Virtual-2", "Virtual-10", "eDP-1",
    ]
    #expect(names.naturallySorted() == sorted)
    #expect(names.reversed().naturallySorted() == sorted)
    #expect(!NaturalOrder.isBefore("card99999999999999999999999", "card2"))
    #expect(NaturalOrder.isBefore("card2", "card99999999999999999999999"))
  }

  @Test func `the order is strict and total`() {
    let names = ["", "0", "00", "1", "01", "a", "a0", "a00b", "a0b", "a1", "b", "1a", "é", "a-", "a-1"]
    for one in names {
      #expect(!NaturalOrder.isBefore(one, one))
      for other in names where one != other {
        #expect(NaturalOrder.isBefore(one, other) != NaturalOrder.isBefore(other, one), "\(one) \(other)")
        for third in names where NaturalOrder.isBefore(one, other) && NaturalOrder.isBefore(other, third) {
          #expect(NaturalOrder.isBefore(one, third), "\(one) \(other) \(third)")
        }
      }
    }
  }
}
