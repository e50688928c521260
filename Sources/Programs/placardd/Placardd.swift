import CommandLineTool
import ProcessArguments
import Service

// SwiftPM links this function as `main`.
/// Runs the service, or the full command line if the program is invoked as `placard`.
@_cdecl("placardd_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  let arguments = unsafe ProcessArguments.read(count, words)
  if unsafe ProcessArguments.isInvoked("placard", count, words) {
    PlacardTool.nameProcess()
    PlacardTool.useOneThread()
    return PlacardTool.runToEnd(arguments, console: StandardConsole())
  }
  StandardFiles.openMissing()
  do throws(ServiceArguments.UsageError) {
    switch try ServiceArguments.read(arguments) {
    case .print(let text): print(text)
    case .replay(let options, let file): return Service.replay(file, options)
    case .run(let options): return Service.run(options)
    }
    return 0
  } catch {
    Service.complain(error)
    return 2
  }
}
