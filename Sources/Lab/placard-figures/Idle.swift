import Glibc
import Lab

/// The idle service with two enabled displays.
struct Idle {
  /// The number of wake-ups of all its threads.
  var wakeUps = 0
  var threads = 0
  /// The memory figures in kB, by their names in /proc/PID/smaps_rollup and /proc/PID/status (kernel:
  /// Documentation/filesystems/proc.rst).
  var memory: [String: Int] = [:]

  init(_ guest: Guest, _ size: Extent, seconds: Int) throws {
    let service = try guest.startService("native")
    for output in 0..<2 {
      _ = try guest.time(output, FramePredicate.placard(size)) { () throws(LabError) in
        try guest.lab.plug(output, width: size.width, height: size.height)
      }
    }
    let pid = try guest.lab.process(named: "placardd")
    // Work that follows the plug (buffers, the journal) does not count as idling.
    poll(nil, 0, 3000)
    let before = try guest.lab.wakeUps(of: pid)
    poll(nil, 0, Int32(seconds * 1000))
    let after = try guest.lab.wakeUps(of: pid)
    // Count per thread: a thread that exits meanwhile must not hide the wake-ups of the others.
    wakeUps = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    threads = after.count
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

  /// Formats a figure given in kB as MB.
  func megabytes(_ name: String) -> String {
    memory[name].map { fixed(Double($0) / 1024, 1) } ?? "-"
  }
}
