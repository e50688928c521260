/// Whether logind can announce the machine's sleep.
package enum LogindPresence: Hashable, Sendable {
  /// It is on the bus.
  case present
  /// No system bus answered at the start, for this reason. It is not looked for again.
  case noBus(reason: String)
  /// The system bus went away, for this reason. The connection is tried again until the bus is back.
  case lostBus(reason: String)
  /// The system bus has no logind. It is noticed when it starts.
  case noLogind
}
