import Glibc
import Lab

/// The service at rest with two lit displays.
struct Idle {
  /// How often its threads woke up, all together.
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
    let pid = try guest.lab.process(named: "placardd")
    // The last of the plug's own work (buffers, the journal) is not idling.
    poll(nil, 0, 3000)
    let before = try guest.lab.wakeUps(of: pid)
    poll(nil, 0, Int32(seconds * 1000))
    let after = try guest.lab.wakeUps(of: pid)
    // Thread by thread: one that ended meanwhile must not hide the wake-ups of the others.
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

  /// kB as MB.
  func megabytes(_ name: String) -> String {
    memory[name].map { fixed(Double($0) / 1024, 1) } ?? "-"
  }
}
