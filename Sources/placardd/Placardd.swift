import ProcessArguments
import Service

/// Lights monitors and puts messages on them. SwiftPM links this function as `main`.
@_cdecl("placardd_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  StandardFiles.openMissing()
  do throws(ServiceArguments.UsageError) {
    switch try ServiceArguments.read(unsafe ProcessArguments.read(count, words)) {
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
