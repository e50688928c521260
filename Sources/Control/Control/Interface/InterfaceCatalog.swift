package import JSON

/// The objects of the interface.
package enum InterfaceCatalog {
  /// The types of the requests and the reports that have a schema of their own.
  package static let types: [any InterfaceObject.Type] = [
    MessageRequest.self, OpenRequest.self, MoveRequest.self, ScrollRequest.self, SleepRequest.self, ModeRequest.self,
    IdentifyRequest.self, PlugRequest.self, Timestamp.self, Problem.self, ServiceStatus.self, HealthReport.self,
    LossReport.self, Liveness.self, DisplayReport.self, PendingModeChange.self, WhyReport.self, DoctorReport.self,
    LogReport.self, ImageReport.self, VirtualReport.self, MessageReport.self, Delivery.self, LiveMessage.self,
    ClearReport.self, ClosedSessionReport.self, SessionReport.self, ScrollPlace.self, BoardReport.self,
    LibraryRequest.self, RenameRequest.self, RenderRequest.self, LibraryReport.self, ScheduleSlot.self, Backup.self,
    RestoreReport.self, ValueRequest.self, ValueReport.self, BridgeRequest.self, BridgeReport.self,
    HistoryLine.self, ControlEvent.self,
  ]

  /// The schemas of all objects, by name.
  package static var schemas: [String: JSONValue] {
    let described = types.map { $0.interface } + [MessageRequest.plain, MessageRequest.forDisplay]
    var schemas = Dictionary(uniqueKeysWithValues: described.map { ($0.name, $0.schema) })
    schemas["SceneDocument"] = [
      "type": "object", "description": "A scene document.", "required": ["kind"],
      "properties": ["kind": ["type": "string", "examples": ["banner"]]],
    ]
    return schemas
  }
}
