import Control

/// A router that finds the endpoint of a request.
struct Router: Sendable {
  /// A path and its endpoints.
  private struct Resource: Sendable {
    let segments: [String]
    var endpoints: [Endpoint]

    /// The content of the Allow header.
    var allow: String {
      endpoints.flatMap { $0.method == "GET" && !$0.isStream ? ["GET", "HEAD"] : [$0.method] }.joined(separator: ", ")
    }
  }

  /// The result of a search.
  struct Found {
    let endpoint: Endpoint
    /// The names in the path by the parameters of the template.
    let names: [String: String]
  }

  private let resources: [Resource]

  /// Creates a router for endpoints.
  init(_ endpoints: [Endpoint]) {
    var resources: [Resource] = []
    for endpoint in endpoints {
      let segments = endpoint.segments
      if let place = resources.firstIndex(where: { $0.segments == segments }) {
        resources[place].endpoints.append(endpoint)
      } else {
        resources.append(Resource(segments: segments, endpoints: [endpoint]))
      }
    }
    self.resources = resources
  }

  /// Returns the endpoint for a method at a path, or nil if the path is unknown; HEAD finds the endpoint of GET.
  func find(_ method: String, _ target: Target) throws(Problem) -> Found? {
    guard let (resource, names) = try resource(at: target) else { return nil }
    let wanted = method == "HEAD" ? "GET" : method
    guard let endpoint = resource.endpoints.first(where: { $0.method == wanted }),
      method != "HEAD" || !endpoint.isStream
    else { throw .method(method, on: target.path, allow: resource.allow) }
    return Found(endpoint: endpoint, names: names)
  }

  /// Returns the content of the Allow header for a target, or nil if its path is unknown.
  func allow(_ target: Target) -> String? {
    (try? resource(at: target))?.0.allow
  }

  private func resource(at target: Target) throws(Problem) -> (Resource, [String: String])? {
    for resource in resources {
      if let names = try Self.match(resource.segments, target.segments) { return (resource, names) }
    }
    return nil
  }

  private static func match(_ template: [String], _ segments: [String]) throws(Problem) -> [String: String]? {
    guard template.count == segments.count else { return nil }
    var names: [String: String] = [:]
    for (part, segment) in zip(template, segments) {
      if part.hasPrefix("{") {
        guard !segment.isEmpty else { return nil }
        names[String(part.dropFirst().dropLast())] = segment
      } else if part != segment {
        return nil
      }
    }
    for (noun, list) in [("session", "/v1/sessions"), ("message", "/v1/messages"), ("loss", "/v1/health")] {
      guard let name = names[noun] else { continue }
      names[noun] = "\(try id(name, of: noun, listedAt: list))"
    }
    return names
  }

  private static func id(_ name: String, of noun: String, listedAt list: String) throws(Problem) -> Int {
    if let id = Int(name), id > 0, "\(id)" == name { return id }
    throw .notFound("\(name) is not the ID of a \(noun): IDs are whole numbers from 1, and \(list) lists them.")
  }
}
