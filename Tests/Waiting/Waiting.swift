public import Testing

/// Waits while something is so, and lets others run meanwhile. What does not come is told with the line that waits for it, and
/// the test goes on to its end: a fault must not become a run that never ends. What should come at once gets two minutes,
/// since a machine can be as busy as that.
public func waitWhile(
  within patience: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async rethrows {
  let deadline = ContinuousClock.now + patience
  while try await isSo() {
    guard ContinuousClock.now < deadline, !Task.isCancelled else {
      _ = Issue.record("waited in vain", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
