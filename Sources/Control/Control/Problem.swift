/// A refusal as sent over HTTP: a problem document (RFC 9457).
public struct Problem: Error, Codable, Hashable, Sendable {
  /// A URI that identifies the type of problem, such as `urn:placard:problem:not-found`.
  public var type: String
  /// The type of problem in words, the same for all problems of this type.
  public var title: String
  /// The HTTP status code, 400...599.
  public var status: Int
  /// A sentence for people with the object, the reason and the next step.
  public var detail: String

  /// Creates a problem; `name` is the last part of the type's URI.
  public init(_ status: Int, _ name: String, title: String, detail: String) {
    self.type = "urn:placard:problem:\(name)"
    self.title = title
    self.status = status
    self.detail = detail
  }

  /// Creates the problem for an error of the service.
  public init(_ error: ControlError) {
    switch error.kind {
    case .invalid: self.init(422, "invalid", title: "The request is not valid", detail: error.message)
    case .notFound: self.init(404, "not-found", title: "The object does not exist", detail: error.message)
    case .conflict: self.init(409, "conflict", title: "Impossible in the current state", detail: error.message)
    case .changed: self.init(412, "changed", title: "The object was changed by another client", detail: error.message)
    case .failed: self.init(500, "failed", title: "The service failed to carry out the request", detail: error.message)
    }
  }
}

extension ControlError {
  /// Creates the error for a problem by its status, because the problems of other servers have no known type.
  public init(_ problem: Problem) {
    switch problem.status {
    case 404: self.init(.notFound, problem.detail)
    case 409: self.init(.conflict, problem.detail)
    case 412: self.init(.changed, problem.detail)
    case 400..<500: self.init(.invalid, problem.detail)
    default: self.init(.failed, problem.detail)
    }
  }
}

extension Problem: InterfaceObject {
  package static let interface = Interface.report(
    "Problem", "The reason why a request failed (RFC 9457).",
    [
      field("type", \.type, "The type of problem, a URI.", .example("urn:placard:problem:not-found")),
      field("title", \.title, "The type of problem in words.", .example("The object does not exist")),
      field("status", \.status, "The HTTP status code.", .range(400...599)),
      field("detail", \.detail, "A sentence for people with the object, the reason and the next step."),
    ])
}
