import Glibc
import Service

/// Lights monitors and puts messages on them.
@main
enum Placardd {
  static func main() {
    StandardFiles.openMissing()
    do throws(ServiceArguments.UsageError) {
      switch try ServiceArguments.read(Array(CommandLine.arguments.dropFirst())) {
      case .print(let text): print(text)
      case .replay(let options, let file): exit(Service.replay(file, options))
      case .run(let options): exit(Service.run(options))
      }
    } catch {
      Service.complain(error)
      exit(2)
    }
  }
}
