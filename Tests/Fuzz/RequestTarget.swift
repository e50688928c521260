import Logging
import NIOCore
import NIOEmbedded

/// The entry point that libFuzzer calls with a client's bytes. Nothing may trap, and every response must be HTTP. A
/// client without the token must change nothing, and an idle client must be disconnected after a while.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start, count > 1 else { return 0 }
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  // The first byte selects the listener, whether a token is required, whether the client is a proxy, and the size of
  // the parts.
  let isWeb = bytes[0] & 1 == 0
  let tokenRequired = isWeb && bytes[0] & 2 == 0
  let step = bytes[0] & 0xF8 == 0 ? count : Int(bytes[0] >> 3)
  let loop = EmbeddedEventLoop()
  let service = FakeService()
  let clients = makeClients(service, loop, tokenRequired: tokenRequired, trustsPeer: bytes[0] & 4 == 0)
  let channel = EmbeddedChannel(loop: loop)
  let place = try? isWeb ? SocketAddress(ipAddress: "127.0.0.1", port: 1) : SocketAddress(unixDomainSocketPath: "/s")
  guard let place else { return 0 }
  channel.connect(to: place, promise: nil)
  do { try clients.add(channel, by: isWeb ? .web : .socket) } catch { preconditionFailure("\(error)") }
  for place in stride(from: 1, to: count, by: step) where channel.isActive {
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes[place..<min(place + step, count)]))
    loop.run()
  }
  checkAnswer(channel)
  if tokenRequired { precondition(service.requests.isEmpty && service.plugs.isEmpty && service.sleeps.isEmpty) }
  service.endEvents()
  loop.advanceTime(by: .hours(1))
  precondition(!channel.isActive || service.requests.contains { $0.text == "hold" }, "it is still there")
  _ = try? channel.finish(acceptAlreadyClosed: true)
  loop.run()
  return 0
}

private let quiet = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

private func makeClients(
  _ service: FakeService, _ loop: EmbeddedEventLoop, tokenRequired: Bool, trustsPeer: Bool
) -> Clients {
  let token = tokenRequired ? Token((0..<32).map { _ in UInt8.random(in: 0x21...0x7E) }) : nil
  let origins = [WebOrigin(parsing: "https://app.example")].compactMap(\.self)
  let proxies = trustsPeer ? [AddressRange(parsing: "127.0.0.0/8")].compactMap(\.self) : []
  let rules = AccessRules(token: token, hosts: ["a"], origins: Set(origins), proxies: proxies)
  let (limits, rejections) = (AccessLimits(), RejectionCounters(logger: quiet))
  let authorizer = RequestAuthorizer(rules, limits: limits, hostName: "b", rejections: rejections, logger: quiet)
  let endpoints = Endpoints(service: service, eventLoop: loop, rejections: rejections)
  return Clients(
    endpoints, authorizer: authorizer, eventLoop: loop, limits: limits, rejections: rejections, logger: quiet)
}

private func checkAnswer(_ channel: EmbeddedChannel) {
  var text: [UInt8] = []
  while let part = try? channel.readOutbound(as: ByteBuffer.self) { text += part.readableBytesView }
  precondition(text.isEmpty || text.starts(with: "HTTP/1.".utf8))
}
