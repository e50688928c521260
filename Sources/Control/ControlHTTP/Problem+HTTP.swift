import Access
import Control

extension Problem {
  /// Returns the 400 problem for a malformed request.
  static func malformed(_ detail: String) -> Problem {
    Problem(400, "malformed", title: "The request is malformed", detail: detail)
  }

  /// The 400 problem for a request line with other spaces than HTTP/1.1 allows.
  static var malformedLine: Problem {
    .malformed("The request line has more or fewer than two spaces: send METHOD TARGET HTTP/1.1.")
  }

  /// Returns the 417 problem for a value of `Expect` that HTTP/1.1 does not define.
  static func unmetExpectation(_ value: String) -> Problem {
    Problem(
      417, "expectation", title: "The expectation is not supported",
      detail: "Expect is \(value): the service supports only 100-continue. Send the request without this header.")
  }

  /// Returns the 501 problem for a transfer coding that the server does not support.
  static func unknownCoding(_ value: String) -> Problem {
    Problem(
      501, "transfer-coding", title: "The transfer coding is not supported",
      detail: "Transfer-Encoding is \(value): the service supports only chunked. Send the body with a Content-Length.")
  }

  /// Returns the 404 problem with a detail of its own.
  static func notFound(_ detail: String) -> Problem { Problem(ControlError(.notFound, detail)) }

  /// Returns the 404 problem for a path without a resource.
  static func nothing(at path: String) -> Problem {
    .notFound(
      "There is nothing at \(path). Try /v1/status, /v1/displays, /v1/sessions, /v1/messages or /v1/openapi.json.")
  }

  /// The 412 problem for a request that names a revision other than the current one.
  static var changed: Problem {
    Problem(
      ControlError(.changed, "The object was changed by another client: read it again, and send the new ETag."))
  }

  /// Returns the 412 problem for an If-Match on a resource without entity tags.
  static func untagged(_ path: String) -> Problem {
    Problem(ControlError(.changed, "\(path) has no entity tag: send the request without If-Match."))
  }

  /// Returns the 503 problem until all displays were tried once.
  static func notReady(_ health: HealthReport) -> Problem {
    let reasons = health.reasons.isEmpty ? "" : " " + health.reasons.joined(separator: " ")
    return Problem(
      503, "not-ready", title: "The service is starting",
      detail: "The first displays are not enabled yet: try again in a second.\(reasons)")
  }

  /// Returns the 405 problem for a method that the resource does not support.
  static func method(_ method: String, on target: String, allow: String) -> Problem {
    Problem(
      405, "method", title: "The method is not allowed",
      detail: "\(target) does not support \(method): use \(allow).")
  }

  /// Returns the 413 problem for a body of more than `limit` bytes.
  static func tooLarge(limit: Int) -> Problem {
    Problem(
      413, "too-large", title: "The body is too large",
      detail: "The body has more than \(limit) bytes: send less.")
  }

  /// Returns the 422 problem for JSON that is not a valid request.
  static func invalid(_ detail: String) -> Problem { Problem(ControlError(.invalid, detail)) }

  /// Returns the 422 problem for an idempotency key that was used for a different request.
  static func otherRequest(_ key: String) -> Problem {
    .invalid("The Idempotency-Key \(key) was used for another request: send a new one with each new request.")
  }

  /// The 431 problem for a head that exceeds the limits of the parser.
  static var headTooLarge: Problem {
    Problem(
      431, "head-too-large", title: "The head of the request is too large",
      detail: "The request's target or headers are too long: send fewer or shorter ones.")
  }

  /// Returns the 503 problem for too many open connections.
  static func busy(_ limit: AccessLimit, _ limits: AccessLimits) -> Problem {
    let whose =
      switch limit {
      case .connectionsPerAddress: " from this address"
      case .connectionsPerUser: " from this user"
      default: ""
      }
    return Problem(
      503, "busy", title: "Too many connections",
      detail: "\(limits[keyPath: limit.path]) connections are already open\(whose): close some, or try again "
        + "later. The limit is \(limit.rawValue) in [controller.limits].")
  }

  /// The 503 problem for request bodies that exceed the limit for all connections together.
  static var noRoom: Problem {
    Problem(
      503, "busy", title: "Too much data is arriving",
      detail: "The bodies of all current requests together exceed the limit: try again in a moment.")
  }

  /// Returns the 408 problem for a part of a request that did not arrive in time.
  static func tooSlow(_ seconds: Int, _ part: String) -> Problem {
    Problem(
      408, "too-slow", title: "The request did not arrive in time",
      detail: "\(part) of the request did not arrive within \(seconds) s: send it again.")
  }
}
