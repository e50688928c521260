import Glibc

/// The parsers under the names that scripts/fuzz uses. They share a program, which is built only once.
private let parsers: [String: @Sendable ([UInt8]) -> Void] = [
  "calendar": fuzzCalendar, "configuration": fuzzConfiguration, "edid": fuzzEDID, "json": fuzzJSON,
  "markdown": fuzzMarkdown, "recording": fuzzRecording, "uevent": fuzzUevent,
]

/// The parser that PLACARD_FUZZ names.
private let parser: @Sendable ([UInt8]) -> Void = {
  let name = unsafe getenv("PLACARD_FUZZ").map { unsafe String(cString: $0) } ?? ""
  // This happens only without scripts/fuzz, which checks the name before it runs this program.
  guard let parser = parsers[name] else { fatalError("PLACARD_FUZZ is one of \(parsers.keys.sorted())") }
  return parser
}()

/// The entry point that libFuzzer calls with its input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start else { return 0 }
  parser(unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
