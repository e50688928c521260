import Configuration
package import Control
package import Displays
import Outputs
package import Pictures
package import Scenes

extension Director {
  /// The dependencies of the director other than cards.
  package struct Environment: Sendable {
    /// The name of the backend for reports, `kms` or `virtual`.
    package var backend: ServiceStatus.Backend
    /// The service's version, for reports.
    package var version: String
    /// The service's process ID, for reports.
    package var pid: Int32
    /// The clock for flips and deadlines, in nanoseconds of CLOCK_MONOTONIC.
    package var now: @Sendable () -> UInt64
    /// The wall clock, in milliseconds since 1970.
    package var wallClock: @Sendable () -> Int64
    /// The clock that cannot be set and continues during a host suspend, in milliseconds of CLOCK_BOOTTIME.
    package var sinceBoot: @Sendable () -> Int64
    /// The scene of displays without a message, a session or a configured scene; nil for the plain background.
    package var greeting: Scene?
    /// The host's name, for the first screen and the controller screen; nil if it has none.
    package var host: String?
    /// The web page's address at the start; nil if there is none. `setAddress(_:)` changes it.
    package var address: String?
    /// The simulator that plugs in virtual monitors; nil if the backend has none.
    package var simulator: (any MonitorSimulator)?
    /// The folder for uploaded images; nil if images are not stored.
    package var pictures: (any PictureFolder)?
    /// The function that reads the EDIDs of the files in a folder, at most as many as fit in a menu.
    package var edids: @Sendable (_ folder: String) async -> [[UInt8]]
    /// The file that caches where each font was found; nil for none.
    package var fontMemory: String?
    /// The loader of the images that scenes name; by default it loads none.
    package var loader: ImageLoader
    /// The ID of this run of the service, in letters and digits. A place in the events of one run is invalid in any
    /// other.
    package var epoch: String
    /// The time limit of a flip, after which the display counts as stalled, and the delay before a busy card is called
    /// again.
    package var patience: FrameMachine.Patience
    /// The time for which a request that does not wait for frames waits for busy painters. A client's default time limit
    /// for an answer is 5 s.
    package var inspectionLimit = Duration.seconds(3)
    /// The decision observer; nil for none.
    package var observer: (any DecisionObserver)?
    /// The function that returns the number of dropped log lines that are not reported yet.
    package var droppedLogLines: @Sendable () -> Int
    /// The function that returns the newest lines of the log, oldest first.
    package var logLines: @Sendable () -> [String] = { [] }
    /// The function that checks the machine, given the service's reports about itself.
    package var examine: @Sendable (ServiceStatus, [DisplayReport], [String: WhyReport]) async -> DoctorReport = {
      _, _, _ in DoctorReport()
    }

    /// Creates an environment from its parts.
    package init(
      backend: ServiceStatus.Backend, version: String, pid: Int32, now: @escaping @Sendable () -> UInt64,
      wallClock: @escaping @Sendable () -> Int64, sinceBoot: @escaping @Sendable () -> Int64, greeting: Scene? = nil,
      host: String? = nil, address: String? = nil,
      simulator: (any MonitorSimulator)? = nil, pictures: (any PictureFolder)? = nil,
      edids: @escaping @Sendable (_ folder: String) async -> [[UInt8]] = { _ in [] }, fontMemory: String? = nil,
      loader: ImageLoader = ImageLoader(),
      epoch: String = String(UInt64.random(in: 0 ... .max), radix: 16), patience: FrameMachine.Patience = .init(),
      observer: (any DecisionObserver)? = nil, droppedLogLines: @escaping @Sendable () -> Int = { 0 }
    ) {
      self.backend = backend
      self.version = version
      self.pid = pid
      self.now = now
      self.wallClock = wallClock
      self.sinceBoot = sinceBoot
      self.greeting = greeting
      self.host = host
      self.address = address
      self.simulator = simulator
      self.pictures = pictures
      self.edids = edids
      self.fontMemory = fontMemory
      self.loader = loader
      self.epoch = epoch
      self.patience = patience
      self.observer = observer
      self.droppedLogLines = droppedLogLines
    }
  }
}
