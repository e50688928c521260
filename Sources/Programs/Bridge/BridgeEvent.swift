package import Archive
package import Control
package import MQTT

/// The state of the service that a box reports.
package struct BoxState: Hashable, Sendable {
  /// The status of the service.
  package var status: ServiceStatus
  /// The health of the service.
  package var health: HealthReport
  /// All known displays.
  package var displays: [DisplayReport]
  /// The library; empty if it was not requested.
  package var library: [LibraryReport]
  /// The sessions; empty if they were not requested.
  package var sessions: [SessionReport]

  /// Creates a state from its parts.
  package init(
    status: ServiceStatus, health: HealthReport, displays: [DisplayReport], library: [LibraryReport] = [],
    sessions: [SessionReport] = []
  ) {
    self.status = status
    self.health = health
    self.displays = displays
    self.library = library
    self.sessions = sessions
  }
}

/// A request to the service.
package struct ServiceCall: Hashable, Sendable {
  /// The method, such as `PUT`.
  package var method: String
  /// The target, such as `/v1/message`.
  package var path: String
  /// The body; nil for none.
  package var body: [UInt8]?
  /// The idempotency key of a POST request; nil for none.
  package var key: String?

  /// Creates a request.
  package init(method: String, path: String, body: [UInt8]? = nil, key: String? = nil) {
    self.method = method
    self.path = path
    self.body = body
    self.key = key
  }
}

/// The service's answer to a request.
package struct ServiceAnswer: Hashable, Sendable {
  /// The HTTP status code; 503 if the service did not answer.
  package var status: Int
  /// The body.
  package var body: [UInt8]

  /// Creates an answer.
  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// An event that a bridge handles.
package enum BridgeEvent: Hashable, Sendable {
  /// The stored documents were read, once at the beginning.
  case loaded([StoredDocument])
  /// The changes with this number, and all before, are on disk or wait there.
  case stored(Int)
  /// The connection to the broker reports something.
  case broker(MQTTEvent)
  /// The service's events arrive from now on; earlier ones may be missing.
  case serviceOpened
  /// The service cannot be reached, or its events have ended.
  case serviceClosed(reason: String)
  /// Events of the service were lost.
  case gap
  /// The service sent an event, with its place in the stream.
  case notice(ControlEvent, at: EventPlace?)
  /// The requested state was read; nil if the service did not answer.
  case state(BoxState?)
  /// The requested part of the history was read, newest first; nil if the service did not answer.
  case history(HistoryQuery, [HistoryLine]?)
  /// The service answered the request with this number.
  case answer(Int, ServiceAnswer)
  /// The moment of `BridgeMachine.due` has come.
  case time
}

/// An action of a bridge.
package enum BridgeEffect: Hashable, Sendable {
  /// Connect to the next broker of the list, by the number of the attempt. It discards what it has kept for the box if
  /// `isClean` is set.
  case connect(Int, isClean: Bool)
  /// Subscribe to topics.
  case subscribe([String])
  /// Publish a message, whose acknowledgment has this number.
  case publish(MQTTMessage, number: Int)
  /// Store changes, and report the number afterwards.
  case store(Int, [ArchiveChange])
  /// Connect to the service's event stream, from the event after a place on, if the service remembers it.
  case open(after: EventPlace?)
  /// Read the state of the service, with its library and sessions if `isComplete` is set.
  case readState(isComplete: Bool)
  /// Read a part of the history.
  case readHistory(HistoryQuery)
  /// Send a request to the service, and report its answer with the number.
  case call(Int, ServiceCall)
  /// Report the state of the connection to the broker to the service: nil if it is connected, otherwise the fault.
  case reportState(MQTTFault?)
  /// Log a sentence, as a warning or for information.
  case log(String, isWarning: Bool)
}
