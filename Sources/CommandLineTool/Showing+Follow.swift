import Control
import ControlClient

extension Showing {
  /// Shows a file of Markdown again whenever it is saved, until the service goes.
  func follow(_ path: String, _ console: any Console) async throws(Failure) {
    let events: ControlEvents
    do throws(ClientError) {
      events = try await client.events()
    } catch {
      throw Failure(error)
    }
    let watch = try await FileWatch(path)
    try await show(.scene(try SceneFile.markdown(path, console)), console)
    console.complain("Following \(Table.printable(path)); Ctrl-C ends.")
    let end = await withTaskGroup(of: Failure?.self) { group in
      group.addTask { await showSaved(watch, path, console) }
      group.addTask {
        var reader = events.makeAsyncIterator()
        while (try? await reader.next()) != nil {}
        return Failure(.noService, "The service has ended; \(path) is not followed any more.")
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let end { throw end }
  }

  /// A text that the service does not take, or that is gone for a moment, is told; the next one may be better.
  private func showSaved(_ watch: FileWatch, _ path: String, _ console: any Console) async -> Failure? {
    for await _ in watch.saves {
      do throws(Failure) {
        try await show(.scene(try SceneFile.markdown(path, console)), console, isAgain: true)
      } catch {
        if error.status == .noService { return error }
        console.complain(error)
      }
    }
    return nil
  }
}
