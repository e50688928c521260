import CommandLineTool
import Glibc

/// The process around the command line.
@main
enum Main {
  static func main() async {
    PlacardTool.useOneThread()
    exit(await PlacardTool.run(Array(CommandLine.arguments.dropFirst()), console: StandardConsole()))
  }
}
