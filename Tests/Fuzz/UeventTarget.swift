/// Fuzzes the uevent parser with bytes from libFuzzer. Parsing a uevent and merging hotplug events must not trap.
func fuzzUevent(_ bytes: [UInt8]) {
  var debouncer = Debouncer(quiet: 2, longest: 5)
  var time: UInt64 = 0
  // One input is several messages, so that the debouncer merges hotplug events. FF separates them, because it never
  // occurs in UTF-8.
  for message in bytes.split(separator: 0xff, omittingEmptySubsequences: false) {
    guard let event = Uevent(message) else { continue }
    // A combining mark after the slash forms one character with it, so bytes are compared.
    precondition(event.devicePath.utf8.first == UInt8(ascii: "/") && !event.action.isEmpty)
    guard let hint = HotplugEvent(event) else { continue }
    let passed = debouncer.receive(hint, at: time) + debouncer.release(at: time)
    precondition(passed.count <= bytes.count)
    time += 1
  }
  if let deadline = debouncer.deadline { precondition(!debouncer.release(at: deadline).isEmpty) }
  precondition(debouncer.deadline == nil)
}
