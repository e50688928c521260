import Calendars
import Glibc
import Oracles
import Scenes
import Schedules
import Testing

/// A comparison with Python's zoneinfo around each change of the offset of zones, from 2020 to 2040.
struct HoursOracleTests {
  /// One zone of this many is compared: PLACARD_ZONES=1 compares all, which takes a minute.
  private static let share = unsafe getenv("PLACARD_ZONES").flatMap { unsafe Int(String(cString: $0)) } ?? 20

  @Test func `Hours and schedules agree with zoneinfo around each clock change of two decades`() throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let script = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/oracle.py"
    let lines = Oracle.lines("python3 '\(script)' \(seed) \(Self.share)")
    var hours: [DisplayHours] = []
    var zones: [String: Zone] = [:]
    var (count, plans) = (0, 0)
    for line in lines {
      let words = line.split(separator: " ", maxSplits: line.hasPrefix("hours") ? 2 : 5).map(String.init)
      if words[0] == "hours" {
        hours.append(try DisplayHours(parsing: words[2]))
        continue
      }
      if words[0] == "plan" {
        plans += 1
        try compare(words, hours, try zones[words[1]] ?? Zone(named: words[1]), "\(line), seed \(seed)")
        continue
      }
      let zone = try zones[words[1]] ?? Zone(named: words[1])
      zones[words[1]] = zone
      let (rules, time) = (hours[try #require(Int(words[2]))], try #require(Int64(words[3])))
      let next = try #require(Int64(words[5]))
      count += 1
      #expect(rules.isOpen(at: time, in: zone) == (words[4] == "1"), "\(line), seed \(seed)")
      let change = rules.nextChange(after: time, in: zone)
      if next == 0 {
        #expect(change ?? .max >= time + 9 * 86_400 - 900, "\(line), seed \(seed)")
      } else {
        #expect(change == next, "\(line) \(rules.text), seed \(seed)")
      }
    }
    print("\(count) cases of hours and \(plans) of schedules in \(zones.count) zones, seed \(seed)")
    #expect(count > 100 && plans > 25)
  }

  /// Compares a schedule with the words of a line: the zone, the time, the rule, the next change and the rules.
  private func compare(_ words: [String], _ hours: [DisplayHours], _ zone: Zone, _ line: String) throws {
    let rules = try words[5].split(separator: ",").map { rule in
      let parts = rule.split(separator: "/").map(String.init)
      return Schedule.Rule(
        .blank, hours: hours[try #require(Int(parts[0]))], from: parts[2] == "-" ? nil : try DateTime(parts[2]),
        until: parts[3] == "-" ? nil : try DateTime(parts[3]), priority: try #require(Int(parts[1])))
    }
    let time = try #require(Int64(words[2]))
    let choice = Schedule(rules).choice(at: time, in: zone)
    #expect(choice.rule ?? -1 == Int(words[3]), "\(line)")
    if words[4] == "0" {
      #expect(choice.until ?? .max >= time + 9 * 86_400 - 900, "\(line)")
    } else {
      #expect(choice.until == Int64(words[4]), "\(line)")
    }
  }
}
