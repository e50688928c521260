extension ControlEvent {
  /// A resource of the API that events can change, by its name in the page.
  package enum Resource: String, Sendable, CaseIterable {
    /// The displays.
    case displays
    /// The sessions.
    case sessions
    /// The sessions that have ended.
    case closedSessions
    /// The live messages.
    case messages
    /// The controller's board.
    case board
    /// The library.
    case library
    /// The virtual monitors.
    case virtual
    /// The status of the service.
    case status
    /// The health of the service.
    case health
  }
}

extension ControlEvent.Kind {
  /// The resources that an event of this kind can change, which clients read again.
  package var resources: [ControlEvent.Resource] {
    switch self {
    case .connected, .disconnected: [.displays, .sessions, .virtual, .health, .status, .messages]
    case .modeChanged: [.displays, .health]
    case .messageShown: [.displays, .messages, .sessions]
    case .stateChanged, .dark: [.displays, .health, .status]
    case .asleep: [.displays, .sessions]
    case .sessionOpened, .sessionMoved, .sessionClosed: [.sessions, .closedSessions, .displays, .board]
    case .messagePosted, .messageAcknowledged: [.messages, .sessions]
    case .messageEnded: [.messages, .sessions, .displays]
    case .sessionChanged: [.sessions, .displays]
    case .boardChanged: [.board]
    case .libraryChanged: [.library]
    case .modePending: [.displays]
    case .healthChanged: [.health, .status]
    }
  }
}
