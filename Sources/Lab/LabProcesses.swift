/// Processes of the guest, whoever started them.
extension Lab {
  /// The process id of a program that runs, by its name as `ps` tells it (the first 15 characters of its file's).
  public func process(named name: String) throws(LabError) -> Int {
    let text = try shell("grep -lx '\(name)' /proc/[0-9]*/comm | cut -d/ -f3")
    guard let id = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }) else {
      throw LabError(.refused, "no process of the guest is called \(name)")
    }
    return id
  }

  /// How often each thread of a process has waited for something since it began, by the thread's name and id: each time
  /// ends with a wake-up (kernel: Documentation/filesystems/proc.rst, voluntary_ctxt_switches).
  public func wakeUps(of process: Int) throws(LabError) -> [String: Int] {
    let lines = try shell(
      "awk '/^Name:/ {name = $2} /^Pid:/ {id = $2} /^voluntary/ {print name \"-\" id, $2}' "
        + "/proc/\(process)/task/*/status")
    return lines.split(separator: "\n").reduce(into: [:]) { wakeUps, line in
      let words = line.split(separator: " ")
      if words.count == 2, let count = Int(words[1]) { wakeUps[String(words[0])] = count }
    }
  }
}
