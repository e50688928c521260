// Written by ControlPageTests from ControlEvent.Kind.

/** The resources that an event of each kind can change. */
export const concerned = {
  connected: ["displays", "sessions", "virtual", "health", "status", "messages"],
  disconnected: ["displays", "sessions", "virtual", "health", "status", "messages"],
  modeChanged: ["displays", "health"],
  messageShown: ["displays", "messages", "sessions"],
  stateChanged: ["displays", "health", "status"],
  dark: ["displays", "health", "status"],
  asleep: ["displays", "sessions"],
  sessionOpened: ["sessions", "closedSessions", "displays", "board"],
  sessionMoved: ["sessions", "closedSessions", "displays", "board"],
  sessionClosed: ["sessions", "closedSessions", "displays", "board"],
  messagePosted: ["messages", "sessions"],
  messageAcknowledged: ["messages", "sessions"],
  messageEnded: ["messages", "sessions", "displays"],
  sessionChanged: ["sessions", "displays"],
  boardChanged: ["board"],
  libraryChanged: ["library"],
  modePending: ["displays"],
  healthChanged: ["health", "status"],
};
