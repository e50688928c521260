import Glibc
import Lab

/// A tool that measures the service in a virtual machine and prints a table. scripts/bench starts it.
///
/// It has no pass or fail criteria.
@main
enum Figures {
  static let usage = """
    usage: placard-figures PROGRAMS YARDSTICKS [ROUNDS [SECONDS]]
      PROGRAMS    the directory of placardd, placard and placard-lab
      YARDSTICKS  that of the bare KMS clients: bare is scripts/bench.d/bare.c compiled, bare-line the same with line.c
      ROUNDS      how often each thing is measured (5); SECONDS of idling (60)

           placard-figures start PROGRAMS YARDSTICKS [ROUNDS]
      of these the starts alone

           placard-figures motion PROGRAMS YARDSTICKS [PLUGS [MINUTES]]
      many plugs (200) on three drivers, and a line that scrolls for MINUTES (10) beside plugs; YARDSTICKS is the
      directory of scripts/bench.d/ticker.c, a bare client that scrolls one, too, and heartbeat.c, compiled

           placard-figures endurance PROGRAMS [MINUTES]
      what the service has while a line scrolls and a clock runs for MINUTES (60)
    """

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "motion", (3...5).contains(arguments.count) {
      let numbers = arguments.dropFirst(3).map { Int($0) ?? 0 }
      return attempt { try time(MotionFigures(programs: arguments[1], yardsticks: arguments[2]), numbers) }
    }
    if arguments.first == "endurance", (2...3).contains(arguments.count) {
      let minutes = arguments.count > 2 ? Int(arguments[2]) ?? 60 : 60
      return attempt { try MotionFigures(programs: arguments[1], yardsticks: "").endurance(minutes: max(1, minutes)) }
    }
    let isStart = arguments.first == "start"
    if isStart { arguments.removeFirst() }
    guard (2...4).contains(arguments.count) else {
      print(usage)
      exit(2)
    }
    let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5
    let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 60 : 60
    attempt {
      let guest = try Guest(programs: arguments[0], yardsticks: arguments[1])
      defer { guest.lab.down() }
      let measurements = Measurements(guest: guest, rounds: max(1, rounds))
      if isStart { return try starts(measurements, Table()) }
      try measure(measurements, seconds: max(1, seconds))
    }
  }

  private static func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      print("placard-figures: \(error)")
      exit(1)
    }
  }

  /// Measures plugs and tickers.
  ///
  /// A number of 0 skips that part.
  private static func time(_ figures: MotionFigures, _ numbers: [Int]) throws {
    let (plugs, minutes) = (numbers.first ?? 200, numbers.dropFirst().first ?? 10)
    if plugs > 0 { try figures.plugs(plugs) }
    if minutes > 0 { try figures.ticker(minutes: minutes) }
  }

  private static func measure(_ measurements: Measurements, seconds: Int) throws {
    let table = Table()
    try idle(measurements.guest, seconds, table)
    try starts(measurements, table)
    try plugs(measurements, table)
    try messages(measurements, table)
  }

  private static func starts(_ measurements: Measurements, _ table: Table) throws {
    say("starts")
    let hd = try measurements.start(.hd, policy: "native", showing: .hd)
    let uhd = try measurements.start(.uhd, policy: "native", showing: .uhd)
    let legible = try measurements.start(.uhd, policy: "legible", showing: .hd)
    table.add(
      "start to picture, s", hd.placard.text(2), uhd.placard.text(2),
      given: "kmscon 2.16 / 2.71, plymouth 0.72 / 0.75")
    table.add("the same, policy legible, s", "", legible.placard.text(2))
    table.add("bare C client, s", hd.bare.text(2), uhd.bare.text(2), given: "0.31 / 0.68")
    table.add(
      "start / bare client in the same run", hd.ratio(to: hd.bare),
      "\(uhd.ratio(to: uhd.bare)), legible \(legible.ratio(to: legible.bare))")
    table.add("bare C client that draws one line of text, s", hd.line.text(2), uhd.line.text(2))
    table.add(
      "start / the same in the same run", hd.ratio(to: hd.line),
      "\(uhd.ratio(to: uhd.line)), legible \(legible.ratio(to: legible.line))")
  }

  private static func plugs(_ measurements: Measurements, _ table: Table) throws {
    say("plugs")
    let hd = try measurements.plug(.hd)
    let uhd = try measurements.plug(.uhd)
    table.add("first plug to picture, s", hd.first.text(2), uhd.first.text(2))
    table.add("replug to picture, s", hd.again.text(2), uhd.again.text(2), given: "kmscon 0.17 / 0.65")
    table.add(
      "plug beside a lit monitor to picture, s", hd.beside.text(2), uhd.beside.text(2),
      given: "kmscon 0.27 / 0.79, plymouth and mpv never")
    table.add("uevent to flip, ms", hd.flip.text(0), uhd.flip.text(0))
  }

  private static func messages(_ measurements: Measurements, _ table: Table) throws {
    say("messages")
    let hd = try measurements.message(.hd)
    let uhd = try measurements.message(.uhd)
    table.add("`placard show` started to picture, s", hd.picture.text(2), uhd.picture.text(2))
    table.add(
      "text at the input of `placard show -` to picture, s", hd.piped.text(2), uhd.piped.text(2),
      given: "kmscon 0.13 / 0.27, plymouth 0.14")
    table.add("`placard show`, request to flip, ms", hd.flip.text(1), uhd.flip.text(1))
  }

  private static func idle(_ guest: Guest, _ seconds: Int, _ table: Table) throws {
    say("idling")
    let hd = try Idle(guest, .hd, seconds: seconds)
    let uhd = try Idle(guest, .uhd, seconds: seconds)
    table.add("wake-ups in \(seconds) s, two lit displays", "\(hd.wakeUps)", "\(uhd.wakeUps)", given: "kmscon 0")
    table.add("threads", "\(hd.threads)", "\(uhd.threads)")
    for (name, key) in [("RSS", "VmRSS"), ("of it anonymous", "RssAnon"), ("PSS", "Pss")] {
      table.add(
        "\(name), two lit displays, MB", hd.megabytes(key), uhd.megabytes(key),
        given: key == "VmRSS" ? "kmscon 12.5" : "")
    }
  }

  /// Reports progress on standard error, separate from the table.
  private static func say(_ what: String) {
    var line = "measuring: \(what)\n"
    line.withUTF8 { bytes in unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
