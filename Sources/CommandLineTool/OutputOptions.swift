import ArgumentParser

/// How a command says what it has to say.
struct OutputOptions: ParsableArguments {
  @Flag(help: "JSON instead of text.")
  var json = false
}

extension Console {
  /// Prints a report: as JSON where that is asked for, otherwise as these lines.
  func report(
    _ report: some Encodable, _ output: OutputOptions, _ lines: (Paper) -> [String]
  ) throws(Failure) {
    try print(output.json ? JSONText.pretty(report) : lines(paper).joined(separator: "\n"))
  }
}
