import ArgumentParser
import NIOCore
import NIOPosix

/// The output format of a command.
struct OutputOptions: ParsableArguments {
  @Flag(help: "JSON instead of text.")
  var json = false
}

extension Console {
  /// Shows a progress text while the work takes longer than half a second; nil shows none.
  @discardableResult
  func showingProgress<Result>(
    _ text: String?, _ work: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let text else { return try await work() }
    let console = self
    let timer = MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: .milliseconds(500)) {
      console.progress(text)
    }
    defer {
      timer.cancel()
      progress(nil)
    }
    return try await work()
  }

  /// Prints a report as JSON if `--json` is given, otherwise as lines of text.
  func report(
    _ report: some Encodable, _ output: OutputOptions, _ lines: (OutputStyle) -> [String]
  ) throws(Failure) {
    try print(output.json ? JSONText.pretty(report) : lines(style).joined(separator: "\n"))
  }
}
