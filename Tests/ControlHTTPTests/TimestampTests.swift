import Control
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_795_276_898_123, "2026-11-21T16:01:38.123Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `A time is encoded in UTC with milliseconds, and decoded unchanged`(milliseconds: Int64, utc: String) throws {
    let moment = Timestamp(milliseconds: milliseconds)
    #expect(moment.utc == utc)
    #expect(try Timestamp(parsing: utc) == moment && Timestamp(parsing: "\(milliseconds)") == moment)
  }

  @Test func `The largest and smallest times do not trap`() {
    #expect(Timestamp(milliseconds: .max).milliseconds == .max && Timestamp(milliseconds: .min).milliseconds == .min)
  }

  @Test(arguments: ["", "now", "2026-11-21T16:01:38.Z", "2026-11-21.5", "2026-11-21T16:01:38.123Zx", ".", "16:01"])
  func `Invalid times are rejected`(text: String) {
    #expect(throws: ControlError.self) { try Timestamp(parsing: text) }
  }
}
