import CommandLineTool
import ProcessArguments

/// The process around the command line. SwiftPM links this function as `main`.
@_cdecl("placard_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  PlacardTool.useOneThread()
  return PlacardTool.runToEnd(unsafe ProcessArguments.read(count, words), console: StandardConsole())
}
