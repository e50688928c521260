/// Processes of the guest, including those that the lab did not start.
extension Lab {
  /// Returns the ID of a running process by its name in /proc/PID/comm (the first 15 characters of the file name).
  public func process(named name: String) throws(LabError) -> Int {
    let text = try shell("grep -lx '\(name)' /proc/[0-9]*/comm | cut -d/ -f3")
    guard let id = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }) else {
      throw LabError(.refused, "the guest has no process named \(name)")
    }
    return id
  }

  /// Returns the number of voluntary context switches of each thread of a process, by thread name and ID.
  ///
  /// Each of these waits ends with a wake-up (kernel: Documentation/filesystems/proc.rst, voluntary_ctxt_switches).
  ///
  /// - Parameter process: The process ID in the guest.
  /// - Throws: `LabError` if the process does not exist.
  /// - Returns: The counts since the start of each thread. The keys are NAME-ID.
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
