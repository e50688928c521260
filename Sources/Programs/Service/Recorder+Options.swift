import Configuration
import Logging
import NIOCore
import Recording
import SystemCalls

extension Recorder {
  /// Creates the recorder that the command line requests, whose file is written on the disk loop; nil if none is
  /// requested.
  convenience init?(_ options: ServiceOptions, _ settings: Settings, _ loops: Loops, _ logger: Logger) throws {
    guard let path = options.record else { return nil }
    let disk = loops.disk
    let file = try RecordingFile(path: path, limit: Self.usualLimit, on: { disk.execute($0) }) {
      logger.warning("\($0)")
    }
    self.init(
      Beginning(
        version: Service.version, kernel: Self.kernel(), backend: settings.backend.rawValue,
        wall: SystemClock.wallMilliseconds(), settings: settings),
      sink: file, isMasked: options.masksSerials, size: file.size, now: SystemClock.monotonicNanoseconds,
      isFull: { logger.warning("\(path): \($0)") })
    logger.info("recording to \(path)")
  }
}
