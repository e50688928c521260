import Access
import Control
import Logging

/// What a connection has to do with besides its requests.
struct Surroundings {
  /// Who is at the other end.
  var client: Client
  /// Who decides about requests; nil over the Unix socket.
  var gate: Gate?
  var limits: AccessLimits
  /// Set where this connection is one too many: its request gets this answer.
  var refusal: Problem?
  var cuts: Cuts
  /// What all connections together may hold of bodies.
  var bodies: BodyBudget
  var writes: WriteLog
  /// The answers of all connections that clients have not taken yet.
  var backlog: Backlog
  var broadcast: EventBroadcast
  var heartbeat: Heartbeat
  var logger: Logger
}
