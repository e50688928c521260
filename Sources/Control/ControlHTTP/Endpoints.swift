import Control
import NIOCore
import NIOHTTP1

/// The handler of complete requests, which finds their endpoints or documents and returns the answers.
struct Endpoints: Sendable {
  private let service: any ControlService
  private let documents: ServedDocument.Lookup
  private let router = Router(Endpoint.all)
  private let once: IdempotencyCache
  private let rejections: RejectionCounters
  private let bridges = BridgeStates()
  private let pageQueue: PageQueue

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - service: The service that carries out the requests.
  ///   - eventLoop: The server's event loop, for pages and for requests with an idempotency key.
  ///   - documents: Finds the documents served besides the API.
  ///   - rejections: The rejection counters, which the health report includes.
  init(
    service: any ControlService, eventLoop: any EventLoop, documents: @escaping ServedDocument.Lookup = { _ in nil },
    rejections: RejectionCounters
  ) {
    self.rejections = rejections
    pageQueue = PageQueue(on: eventLoop)
    self.service = service
    self.documents = documents
    once = IdempotencyCache(on: EventLoopTaskExecutor(eventLoop))
  }

  /// Returns whether the body of a request is the file of an image or a backup, which may be larger than other bodies.
  func acceptsFile(_ head: HTTPRequestHead) -> Bool {
    guard head.method == .POST, let target = try? Target(head.uri) else { return false }
    switch (try? router.find("POST", target))?.endpoint.body {
    case .image, .calendar, .largeJSON: return true
    default: return false
    }
  }

  /// Returns the answer to a request; a refusal is answered with a problem document.
  func answer(_ request: Request) async -> Answer {
    do throws(Problem) {
      let target = try Target(request.target)
      if let found = try router.find(request.method, target) { return try await perform(found, request, target) }
      guard let document = documents(target.path) else { throw .nothing(at: target.path) }
      return try serve(document, request, target)
    } catch {
      return .response(refusal(error, request))
    }
  }

  private func perform(_ found: Router.Found, _ request: Request, _ target: Target) async throws(Problem) -> Answer {
    guard request.method == "POST", let key = try IdempotencyCache.key(of: request) else {
      return try await carryOut(found, request, target)
    }
    return try await once.answer(request, key: key, now: .now()) {
      do throws(Problem) {
        return try await carryOut(found, request, target)
      } catch {
        return .response(refusal(error, request))
      }
    }
  }

  private func carryOut(_ found: Router.Found, _ request: Request, _ target: Target) async throws(Problem) -> Answer {
    let endpoint = found.endpoint
    let query = try target.fields(endpoint.query.map(\.name))
    let call = Call(
      service: service, documents: documents, rejections: rejections, bridges: bridges, pageQueue: pageQueue,
      request: request, names: found.names, query: query)
    if !endpoint.isEditable, request.method != "GET", request.method != "HEAD",
      try call.tags("If-Match") ?? .any != .any
    {
      throw .untagged(target.path)
    }
    do {
      return try await endpoint.perform(call)
    } catch let problem as Problem {
      throw problem
    } catch let error as ControlError {
      throw Problem(error)
    } catch {
      throw Problem(ControlError(.failed, "\(error)"))
    }
  }

  private func serve(_ document: ServedDocument, _ request: Request, _ target: Target) throws(Problem) -> Answer {
    guard ["GET", "HEAD"].contains(request.method) else {
      throw .method(request.method, on: target.path, allow: "GET, HEAD")
    }
    let known = try EntityTags(request.headers["If-None-Match"], header: "If-None-Match")
    guard let gzip = document.gzip else {
      return .file(document.bytes, document.type, tag: .of(document.bytes), known: known)
    }
    let isCompressed = AcceptedEncodings(request.headers["Accept-Encoding"]).allowGzip
    let bytes = isCompressed ? gzip : document.bytes
    return .file(bytes, document.type, tag: .of(bytes), known: known, encoding: isCompressed ? "gzip" : "identity")
  }

  private func refusal(_ problem: Problem, _ request: Request) -> Response {
    var response = Response(problem)
    if problem.status == 405, let target = try? Target(request.target) {
      response.headers.add(name: "allow", value: router.allow(target) ?? "GET, HEAD")
    }
    return response
  }
}
