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
  public static func replay(_ file: String, _ options: ServiceOptions) -> Int32 {
    GlobalExecutor.installForReplay()
    do {
      let named = try options.configuration.map { path throws(ConfigurationError) in try SettingsFile.read(path) }
      let report = try Replay.report(on: try bytes(of: file), version: version) { recorded in
        var settings = named ?? recorded
        settings.policy = options.policy ?? settings.policy
        return settings
      }
      let text =
        options.isJSON ? try JSON.encode(report, pretty: true) : Array(report.lines.joined(separator: "\n").utf8)
      put(text + [0x0a])
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
    var (all, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 20))
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw RecordingError("\(ErrorNumber(errno))") }
      if count == 0 { return all }
      all += part.prefix(count)
      if all.count > 2 * Recorder.usualLimit { throw RecordingError("it is larger than any recording") }
    }
  }

  private static func put(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
