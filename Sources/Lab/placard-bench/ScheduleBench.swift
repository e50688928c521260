import Calendars
import Scenes
import Schedules

/// The time to find out what a large schedule shows and when that changes next, relative to a clock's view.
enum ScheduleBench {
  private static let entries = 1000
  private static let playlists = 100
  private static let rules = 200

  /// Prints the table.
  ///
  /// - Parameter rounds: The number of instants, which are spread over a year.
  /// - Throws: `HoursError` or `DateTimeError` if the bench itself contains a mistake.
  static func run(rounds: Int) throws {
    let library = try library()
    let zones = ZoneCache()
    let start: Int64 = 1_795_266_309_000
    func time(_ scene: Scene) -> (median: Double, most: Double) {
      var times: [Double] = []
      _ = scene.view(in: ViewContext(now: start, zones: zones, library: library))
      for round in 0..<rounds {
        let now = start + Int64(round) * 366 * 86_400_000 / Int64(rounds)
        let context = ViewContext(now: now, zones: zones, library: library)
        // The smallest of three times: the others can contain pauses of the machine.
        let three = (0..<3).map { _ in
          Stopwatch.time { precondition(scene.view(in: context).nextChange ?? .max > now) }
        }
        times.append(three.min() ?? 0)
      }
      return (Stopwatch.median(times), times.max() ?? 0)
    }
    let clock = time(Scene(.clock(Clock(zone: "Europe/Berlin")))).median
    for (name, entry) in [
      ("one weekly rule", "small"), ("\(rules) rules", "week"), ("\(rules) rules on dates", "dates"),
    ] {
      let (median, most) = time(Scene(.entry(entry)))
      Table.print(
        "\(name), library of \(library.count) entries: \(rounds) instants of a year, ratio to a clock's view",
        [
          Measurement(name: "view and next change, median", microseconds: median, yardstick: clock),
          Measurement(name: "view and next change, maximum", microseconds: most, yardstick: clock),
        ])
    }
  }

  private static func library() throws -> [String: LibraryEntry] {
    var library: [String: LibraryEntry] = [:]
    func add(_ name: String, _ content: Scene.Content) { library[name] = LibraryEntry(name, Scene(content)) }
    for number in 0..<entries - playlists { add("text\(number)", .banner("Text \(number)")) }
    for number in 0..<playlists {
      let items = (0..<10).map { Playlist.Item(Scene(.entry("text\(number * 9 + $0 % 9)")), seconds: 20) }
      add("list\(number)", .playlist(Playlist(items, isShuffled: number % 2 == 0)))
    }
    let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    let months = ["Jan", "Mar", "May", "Jul", "Aug", "Oct", "Dec"]
    var weekly: [Schedule.Rule] = []
    var dated: [Schedule.Rule] = []
    for number in 0..<rules {
      let hour = 10 + number % 12
      let times = "\(hour):\(10 + number % 5 * 10)-\(hour + 1):30"
      let show = Scene(.entry("list\(number % playlists)"))
      let hours = try DisplayHours(parsing: "\(days[number % 7])-\(days[(number + 3) % 7]) \(times); Dec 25 off")
      let until = number % 5 == 0 ? try DateTime("2027-0\(1 + number % 9)-01") : nil
      weekly.append(Schedule.Rule(show, hours: hours, until: until, priority: number % 3))
      let date = try DisplayHours(parsing: "\(months[number % 7]) \(10 + number % 20) \(times)")
      dated.append(Schedule.Rule(show, hours: date, priority: number % 3))
    }
    add("small", .schedule(Schedule(Array(weekly.prefix(1)), zone: "Europe/Berlin")))
    add("week", .schedule(Schedule(weekly, zone: "Europe/Berlin")))
    add("dates", .schedule(Schedule(dated, zone: "Europe/Berlin")))
    return library
  }
}
