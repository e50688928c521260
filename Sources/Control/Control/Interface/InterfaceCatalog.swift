package import JSON

/// The objects of the interface.
package enum InterfaceCatalog {
  /// The requests.
  package static let requests: [Interface] = [
    MessageRequest.interface, MessageRequest.plain, MessageRequest.forDisplay, OpenRequest.interface,
    MoveRequest.interface, ScrollRequest.interface, SleepRequest.interface, ModeRequest.interface,
    IdentifyRequest.interface, PlugRequest.interface,
  ]

  /// The reports.
  package static let reports: [Interface] = [
    Timestamp.interface, Problem.interface, ServiceStatus.interface, HealthReport.interface, LossReport.interface,
    Liveness.interface, DisplayReport.interface, PendingModeChange.interface, WhyReport.interface,
    DoctorReport.interface, LogReport.interface, ImageReport.interface, VirtualReport.interface,
    MessageReport.interface, Delivery.interface, LiveMessage.interface, ClearReport.interface,
    ClosedSessionReport.interface, SessionReport.interface, ScrollPlace.interface, BoardReport.interface,
    HistoryLine.interface, ControlEvent.interface,
  ]

  /// The schemas of all objects, by name.
  package static var schemas: [String: JSONValue] {
    var schemas = Dictionary(uniqueKeysWithValues: (requests + reports).map { ($0.name, $0.schema) })
    schemas["SceneDocument"] = [
      "type": "object", "description": "A scene document.", "required": ["kind"],
      "properties": ["kind": ["type": "string", "examples": ["banner"]]],
    ]
    return schemas
  }
}
