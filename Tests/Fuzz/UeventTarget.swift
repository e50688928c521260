/// Bytes of libFuzzer's choice: reading a uevent and merging its hints must not trap.
func fuzzUevent(_ bytes: [UInt8]) {
  var debouncer = Debouncer(quiet: 2, longest: 5)
  var time: UInt64 = 0
  // One input is several messages, so that hints meet in the debouncer; ff never is part of a text.
  for message in bytes.split(separator: 0xff, omittingEmptySubsequences: false) {
    guard let event = Uevent(message) else { continue }
    // A combining mark behind the slash makes one character with it, so bytes are compared.
    precondition(event.devicePath.utf8.first == UInt8(ascii: "/") && !event.action.isEmpty)
    guard let hint = HotplugHint(event) else { continue }
    let passed = debouncer.take(hint, at: time) + debouncer.release(at: time)
    precondition(passed.count <= bytes.count)
    time += 1
  }
  if let deadline = debouncer.deadline { precondition(!debouncer.release(at: deadline).isEmpty) }
  precondition(debouncer.deadline == nil)
}
