public import Testing

/// Waits until a condition is false, and yields to other tasks meanwhile.
///
/// After two minutes, it records an issue at the caller's line and returns, so that a fault cannot make the test run
/// hang. A busy machine can need most of that time.
public func waitWhile(
  within patience: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async rethrows {
  let deadline = ContinuousClock.now + patience
  while try await isSo() {
    guard ContinuousClock.now < deadline, !Task.isCancelled else {
      _ = Issue.record("the condition was still true at the deadline", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
