import Glibc
import Lab

/// The service at rest with two lit displays.
struct Idle {
  /// Context switches of all its threads, of both sorts.
  var wakeUps = 0
  var threads = 0
  /// kB by name, of /proc/PID/smaps_rollup (kernel: Documentation/filesystems/proc.rst).
  var memory: [String: Int] = [:]

  init(_ guest: Guest, _ size: Extent, seconds: Int) throws {
    let service = try guest.startService("native")
    for output in 0..<2 {
      _ = try guest.time(output, Look.placard(size)) { () throws(LabError) in
        try guest.lab.plug(output, width: size.width, height: size.height)
      }
    }
    let pid =
      try guest.lab.shell("grep -lx placardd /proc/[0-9]*/comm | cut -d/ -f3").split(whereSeparator: \.isWhitespace)
      .first.map(String.init) ?? ""
    // The last of the plug's own work (buffers, the journal) is not idling.
    poll(nil, 0, 3000)
    let before = try Idle.switches(guest, pid)
    poll(nil, 0, Int32(seconds * 1000))
    let after = try Idle.switches(guest, pid)
    // Thread by thread: one that ended meanwhile must not hide the wake-ups of the others.
    wakeUps = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    threads = after.count / 2
    for line in try guest.lab.text("/proc/\(pid)/smaps_rollup").split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count == 3, let value = Int(words[1]) { memory[String(words[0].dropLast())] = value }
    }
    for line in try guest.lab.text("/proc/\(pid)/status").split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count == 3, let value = Int(words[1]) { memory[String(words[0].dropLast())] = value }
    }
    for output in 0..<2 { try guest.lab.unplug(output) }
    try guest.end(service)
  }

  /// Two numbers for each thread, by the file and the name that they stand under.
  private static func switches(_ guest: Guest, _ pid: String) throws -> [String: Int] {
    let lines = try guest.lab.shell("grep -s ctxt_switches /proc/\(pid)/task/*/status /dev/null; true")
    return lines.split(separator: "\n").reduce(into: [:]) { switches, line in
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count == 2, let count = Int(words[1]) { switches[String(words[0])] = count }
    }
  }

  /// kB as MB.
  func megabytes(_ name: String) -> String {
    memory[name].map { fixed(Double($0) / 1024, 1) } ?? "-"
  }
}
