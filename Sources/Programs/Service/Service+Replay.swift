import Configuration
import Glibc
import JSON
import Recording
import SystemCalls

extension Service {
  /// Replays a recording and prints the decisions that differ.
  ///
  /// It must be called on the main thread, before the first task.
  ///
  /// - Parameters:
  ///   - file: The path of the recording.
  ///   - options: The command line. Its configuration file and policy replace the recorded ones.
  /// - Returns: The exit status: 0 if nothing differs, 1 if something does, 2 if the recording cannot be read.
  package static func replay(_ file: String, _ options: ServiceOptions) -> Int32 {
    GlobalExecutor.installForSimulatedTime()
    do {
      let named = try options.configuration.map { path throws(ConfigurationError) in try SettingsFile.read(path) }
      let report = try Replay.report(on: try bytes(of: file), version: version) { recorded in
        var settings = named ?? recorded
        settings.policy = options.policy ?? settings.policy
        return settings
      }
      let text =
        options.isJSON ? try JSON.encode(report, pretty: true) : Array(report.lines.joined(separator: "\n").utf8)
      try? Transfer.write(text + [0x0a], to: STDOUT_FILENO)
      return report.same ? 0 : 1
    } catch {
      complain(error is RecordingError ? RecordingError("\(file): \(error)") : error)
      return 2
    }
  }

  /// Reads a whole file, up to twice the maximum size of a recording.
  private static func bytes(of file: String) throws(RecordingError) -> [UInt8] {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RecordingError("\(ErrorNumber(errno))") }
    defer { close(descriptor) }
    var bytes: [UInt8]?
    do throws(ErrorNumber) {
      bytes = try Transfer.read(descriptor, atMost: 2 * Recorder.usualLimit)
    } catch {
      throw RecordingError("\(error)")
    }
    guard let bytes else { throw RecordingError("it is larger than any recording") }
    return bytes
  }
}
