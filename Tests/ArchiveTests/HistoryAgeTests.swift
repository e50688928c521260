import Glibc
import Testing

@testable import Archive

/// The maximum age of the history, whatever the clock says.
struct HistoryAgeTests {
  private let day: Int64 = 86_400_000
  /// An arbitrary day of the year 2026.
  private let today: Int64 = 20_600 * 86_400_000
  private let year2200: Int64 = 84_006 * 86_400_000

  /// Returns the expired times of entries that began at these times, for a limit of 90 days.
  private func oldest(_ times: [Int64], at now: Int64, days: Int64 = 90) -> Int64 {
    let times = times.sorted()
    return ArchiveLimits.oldest(
      at: now, age: days * day, first: { since, until in times.first { $0 >= since && $0 <= until } },
      last: { time in times.last { $0 < time } })
  }

  private func days(_ range: ClosedRange<Int64>, from start: Int64) -> [Int64] { range.map { start + $0 * day } }

  @Test func `if something is recorded each day, age is counted by the clock`() {
    let times = days(-200...0, from: today)
    #expect(oldest(times, at: today) == today - 90 * day)
    #expect(oldest(times, at: today + day / 2) == today + day / 2 - 90 * day)
    #expect(oldest(times, at: today, days: 0) == today)
    #expect(oldest([], at: today) == today - 90 * day)
  }

  @Test func `a display that shows one thing for weeks does not change the age`() {
    #expect(oldest([-100, -71, -42, -13].map { today + $0 * day }, at: today) == today - 90 * day)
  }

  @Test func `a clock in the year 2200 removes nothing at any start, and ages on from there`() {
    let times = days(-200...0, from: today)
    #expect(oldest(times, at: year2200) == today - 90 * day)
    let started = times + (0..<5).map { year2200 + $0 * 1000 }
    #expect(oldest(started, at: year2200 + 5000) == today - 90 * day + 5000)
    #expect(oldest(started + days(0...60, from: year2200), at: year2200 + 60 * day) == today - 30 * day)
  }

  @Test func `entries recorded by a clock in the year 2200 make no difference once it is right`() {
    let times = days(-200...0, from: today) + days(0...3, from: year2200)
    #expect(oldest(times, at: today) == today - 90 * day)
  }

  @Test func `after a year off, old entries are removed only after 90 recorded days`() {
    let times = days(-200...0, from: today - 365 * day)
    #expect(oldest(times, at: today) == today - 455 * day)
    #expect(oldest(times + days(0...30, from: today), at: today + 30 * day) == today - (365 + 60) * day)
    #expect(oldest(times + days(0...91, from: today), at: today + 91 * day) == today + day)
  }

  @Test func `a machine that starts in 1970 removes nothing until it knows the time`() {
    let times = days(-200...0, from: today)
    #expect(oldest(times, at: 1000) == 1000 - 90 * day)
    #expect(oldest([1000] + times, at: today) == today - 90 * day)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `no time causes a trap or an endless loop`(now: Int64) {
    for times in [[], [.min, .max], [.min, 0, 1, .max], [now]] as [[Int64]] {
      #expect(oldest(times, at: now, days: 36500) <= now)
    }
  }

  @Test func `a clock in the year 2200 removes no entry of an archive, before and after it is corrected`() async throws
  {
    let folder = try Folder()
    let harness = Harness()
    let now = harness.now
    for time in [now, year2200, year2200 + 1000, now + 2000] {
      harness.now = time
      let archive = harness.archive(folder.file)
      _ = await archive.load()
      #expect(await archive.store((0..<1200).map { .began(entry(time + $0, ended: time + $0 + 1)) }) == .stored)
      await archive.close()
    }
    #expect(try ArchiveFile.open(folder.file).history().count == 4800)
  }
}
