import Glibc

/// The parsers by the names that scripts/fuzz calls them. They share a program, so that it is built once for all.
private let parsers: [String: @Sendable ([UInt8]) -> Void] = [
  "configuration": fuzzConfiguration, "dbus": fuzzDBus, "edid": fuzzEDID, "json": fuzzJSON, "markdown": fuzzMarkdown,
  "recording": fuzzRecording, "uevent": fuzzUevent,
]

/// The one that PLACARD_FUZZ names.
private let parser: @Sendable ([UInt8]) -> Void = {
  let name = unsafe getenv("PLACARD_FUZZ").map { unsafe String(cString: $0) } ?? ""
  // Only by hand: scripts/fuzz refuses a name that it does not know before this program runs. Nothing could be fuzzed.
  guard let parser = parsers[name] else { fatalError("PLACARD_FUZZ is one of \(parsers.keys.sorted())") }
  return parser
}()

/// libFuzzer calls this with bytes of its choice.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start else { return 0 }
  parser(unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
