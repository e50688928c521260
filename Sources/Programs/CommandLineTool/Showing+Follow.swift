import Control
import ControlClient

extension Showing {
  /// Shows a Markdown file, and shows it again after each save, until the service ends.
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
        return Failure(.noService, "The service has stopped; \(path) is no longer followed.")
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let end { throw end }
  }

  /// Shows the file after each save, and returns a failure once the service does not answer.
  private func showSaved(_ watch: FileWatch, _ path: String, _ console: any Console) async -> Failure? {
    for await _ in watch.saves {
      do throws(Failure) {
        try await show(.scene(try SceneFile.markdown(path, console)), console, isAgain: true)
      } catch {
        // The service may accept the next version, and a missing file may come back.
        if error.status == .noService { return error }
        console.complain(error)
      }
    }
    return nil
  }
}
