import Control
import JSON

/// The body of a request.
struct RequestBody: Sendable {
  /// The bytes as received.
  var bytes: [UInt8]

  /// Decodes and checks the request in the body.
  ///
  /// - Parameters:
  ///   - type: The type of the request.
  ///   - interface: The fields that the request has here, all by default.
  /// - Throws: A problem that names the mistake.
  /// - Returns: The request.
  func decode<Request: InterfaceObject>(
    _ type: Request.Type = Request.self, as interface: Interface = Request.interface
  ) throws(Problem) -> Request {
    guard !bytes.isEmpty else { throw .malformed("The request has no body: send JSON. \(interface.known).") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .malformed("The body is not UTF-8: send JSON in UTF-8.")
    }
    let members = try members(interface.known)
    do throws(ControlError) {
      try interface.check(members)
    } catch {
      throw Problem(error)
    }
    do {
      return try JSON.decode(type, from: bytes)
    } catch {
      throw .invalid("\(error). \(interface.known).")
    }
  }

  /// Returns the scene document in the body; the service decides whether it is a valid scene.
  func document() throws(Problem) -> JSONValue {
    guard !bytes.isEmpty else { throw .malformed("The request has no body: send a scene document as JSON.") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .malformed("The body is not UTF-8: send JSON in UTF-8.")
    }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw .malformed("The body is not JSON: check its quotes, commas and braces.")
    }
  }

  private func members(_ known: String) throws(Problem) -> [String: JSONValue] {
    do {
      guard case .object(let members) = try JSONValue(parsing: bytes) else {
        throw Problem.invalid("The body is JSON, but not an object. \(known).")
      }
      return members
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .malformed("The body is not JSON: check its quotes, commas and braces. \(known).")
    }
  }
}
