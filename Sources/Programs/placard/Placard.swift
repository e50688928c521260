import CLinux

// SwiftPM links this function as `main`.
/// Runs plain commands in this process, and all other commands in the full program.
@_cdecl("placard_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  switch FastRun.run(unsafe ProcessArguments.read(count, words)) {
  case .done(let status): return status
  case .full(let answer): return unsafe FullProgram.become(count, words, answer: answer)
  }
}
