import Access
import Control

extension Problem {
  /// 400: the request cannot be understood.
  static func malformed(_ detail: String) -> Problem {
    Problem(400, "malformed", title: "The request cannot be understood", detail: detail)
  }

  /// 400: the request line has other spaces than HTTP/1.1 allows.
  static var malformedLine: Problem {
    .malformed("The request line has more or fewer than two spaces: send METHOD TARGET HTTP/1.1.")
  }

  /// 417: `Expect` has another value than the one that HTTP/1.1 defines.
  static func unmetExpectation(_ value: String) -> Problem {
    Problem(
      417, "expectation", title: "The expectation cannot be met",
      detail: "Expect is \(value): the service knows 100-continue only. Send the request without this header.")
  }

  /// 501: the body has a transfer coding that the service does not read.
  static func unknownCoding(_ value: String) -> Problem {
    Problem(
      501, "transfer-coding", title: "The transfer coding is not known",
      detail: "Transfer-Encoding is \(value): the service reads chunked only. Send the body with a Content-Length.")
  }

  /// 404: nothing is at this path.
  static func notFound(_ detail: String) -> Problem { Problem(ControlError(.notFound, detail)) }

  /// 404: no resource has this path.
  static func nothing(at path: String) -> Problem {
    .notFound(
      "There is nothing at \(path). Try /v1/status, /v1/displays, /v1/sessions, /v1/messages or /v1/openapi.json.")
  }

  /// 412: the request is for another revision than the current one.
  static var changed: Problem {
    Problem(
      ControlError(.changed, "It was changed in the meantime: read it again, and send the ETag that comes with it."))
  }

  /// 412: If-Match names a state, and this resource has none to compare.
  static func untagged(_ path: String) -> Problem {
    Problem(ControlError(.changed, "\(path) has no entity tag that If-Match could name: send the request without it."))
  }

  /// 503: not all that is to be lit has been tried yet.
  static func notReady(_ health: HealthReport) -> Problem {
    let reasons = health.reasons.isEmpty ? "" : " " + health.reasons.joined(separator: " ")
    return Problem(
      503, "not-ready", title: "The service is starting",
      detail: "The first displays are not lit yet: ask again in a second.\(reasons)")
  }

  /// 405: the thing is there, but not for this method.
  static func method(_ method: String, on target: String, allow: String) -> Problem {
    Problem(
      405, "method", title: "The method is not for this resource",
      detail: "\(target) does not know \(method): use \(allow).")
  }

  /// 413: the body has more than `limit` bytes.
  static func tooLarge(limit: Int) -> Problem {
    Problem(
      413, "too-large", title: "The body is too large",
      detail: "The body has more than \(limit) bytes: send less.")
  }

  /// 422: JSON, but not what is expected here.
  static func invalid(_ detail: String) -> Problem { Problem(ControlError(.invalid, detail)) }

  /// 422: a key that says "this was sent before" came with something that was not.
  static func otherRequest(_ key: String) -> Problem {
    .invalid("The Idempotency-Key \(key) was used for another request: send a new one with each new request.")
  }

  /// 431: the head has more than the parser takes.
  static var headTooLarge: Problem {
    Problem(
      431, "head-too-large", title: "The head of the request is too large",
      detail: "The request's target or headers are too long: send fewer or shorter ones.")
  }

  /// 503: too many connections are open.
  static func busy(_ limit: AccessLimit, _ limits: AccessLimits) -> Problem {
    let whose =
      switch limit {
      case .connectionsPerAddress: " from this address"
      case .connectionsPerUser: " from this user"
      default: ""
      }
    return Problem(
      503, "busy", title: "Too many connections",
      detail: "\(limits[keyPath: limit.path]) connections are open\(whose) already: close some, or try again when "
        + "others have. The limit is \(limit.rawValue) in [controller.limits].")
  }

  /// 503: what comes in on all connections is too much.
  static var noRoom: Problem {
    Problem(
      503, "busy", title: "Too much is coming in",
      detail: "The bodies of all requests that are coming in are too large together: try again in a moment.")
  }

  /// 408: a part of the request took too long.
  static func tooSlow(_ seconds: Int, _ part: String) -> Problem {
    Problem(
      408, "too-slow", title: "The request did not come in time",
      detail: "\(part) of the request did not come within \(seconds) s: send it again.")
  }
}
