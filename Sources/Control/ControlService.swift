/// What whoever holds the controller can ask of the service; transports (HTTP) and clients speak only in these words.
public protocol ControlService: Sendable {
  /// The service as a whole.
  func status() async -> ServiceStatus
  /// All displays that are known, connected ones first, by name.
  func displays() async -> [DisplayReport]
  /// How the mode of one display was chosen, each rejected one with its reason.
  func why(_ display: String) async throws(ControlError) -> WhyReport
  /// The message of one display, or with nil the one for all displays.
  func message(_ display: String?) async throws(ControlError) -> MessageReport
  /// Sets a message; with `wait` it returns when each lit display concerned has shown it (its flip event came).
  func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport
  /// Removes the message of one display (it falls back to the one for all), or with nil the one for all.
  func removeMessage(_ display: String?) async throws(ControlError) -> MessageReport
  /// Sends one display, or with nil all, to sleep, or wakes it; a woken one is lit when this returns, or dark for a
  /// reason that its report tells.
  func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport]
  /// What all monitors show, also those that are not plugged in now.
  func sessions() async -> [SessionReport]
  /// A PNG of the frame that the display scans out now.
  func screenshot(_ display: String) async throws(ControlError) -> [UInt8]
  /// Plugs a virtual monitor.
  func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport
  /// Unplugs a virtual monitor.
  func unplug(_ display: String) async throws(ControlError)
  /// What happens from now on; ends when the consumer stops or the service ends. Bounded: the oldest are dropped.
  func events() async -> AsyncStream<ControlEvent>
}

/// A request that was not carried out: what was asked, why not, and the next step, in a sentence.
public struct ControlError: Error, Codable, Hashable, Sendable {
  /// What sort of refusal it is.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The request itself is wrong.
    case invalid
    /// There is no such display.
    case notFound
    /// It is right, but cannot be done in this state (nothing lit, no virtual monitors here).
    case conflict
    /// The service failed at it.
    case failed
  }

  /// What sort of refusal it is.
  public var kind: Kind
  /// A sentence for a person.
  public var message: String

  /// An error of this kind.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
