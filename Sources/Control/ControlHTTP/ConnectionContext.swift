import Access
import Control
import Logging

/// The context of a connection: its client, and what it shares with other connections.
struct ConnectionContext {
  /// The peer of the connection.
  var client: Client
  /// The authorizer of requests; nil over the Unix socket.
  var authorizer: RequestAuthorizer?
  var limits: AccessLimits
  /// The problem that answers every request, because the connection exceeds a limit; nil for other connections.
  var refusal: Problem?
  var rejections: RejectionCounters
  /// The budget of body bytes for all connections together.
  var bodies: BodyBudget
  var writes: WriteLog
  /// The unsent responses of all connections.
  var backlog: Backlog
  var broadcast: EventBroadcast
  var heartbeat: Heartbeat
  var logger: Logger
}
