import Access
import Control
import NIOHTTP1

/// The two ends of a TCP connection.
struct WebPeer: Hashable, Sendable {
  /// The address of the other end, a client or a proxy.
  var address: IPAddress
  /// The address of this machine that the peer connected to; nil if it is unknown.
  var own: IPAddress?
}

/// The client of a request over TCP, and the origin that it requested.
///
/// Behind a trusted proxy, it is the client that the proxy names. The headers of other peers are not trusted.
struct RequestPeer: Hashable, Sendable {
  /// The client's address.
  let address: IPAddress
  /// The requested origin: the scheme, and the content of `Host`.
  let origin: WebOrigin

  /// The client as it appears in the log.
  var client: Client { .web(WebPeer(address: address)) }

  /// Creates the client of a request from its head; the problem names the mistake in the head.
  init(_ head: HTTPRequestHead, from peer: WebPeer, proxies: [AddressRange]) throws(Problem) {
    let isProxy = proxies.contains { $0.contains(peer.address) }
    let authority = try Self.authority(head)
    let isSecure = isProxy && head.headers.lastItem("x-forwarded-proto")?.lowercased() == "https"
    origin = WebOrigin(scheme: isSecure ? "https" : "http", authority: authority)
    address = isProxy ? Self.client(head.headers, behind: peer.address, proxies) : peer.address
  }

  /// Returns the address of the client of a trusted proxy.
  ///
  /// Each proxy appends its peer to `X-Forwarded-For`, so entries before the last untrusted address may be forged. The
  /// client is therefore the last address that is not a trusted proxy.
  ///
  /// - Parameters:
  ///   - headers: The headers of the request.
  ///   - peer: The address of the nearest proxy.
  ///   - proxies: The trusted proxies.
  /// - Returns: The address of the client, or that of the last proxy if no valid entry precedes it.
  private static func client(_ headers: HTTPHeaders, behind peer: IPAddress, _ proxies: [AddressRange]) -> IPAddress {
    var client = peer
    for item in headers.items("x-forwarded-for").reversed() {
      guard let address = Authority(parsing: item)?.address ?? IPAddress(parsing: item) else { return client }
      client = address
      guard proxies.contains(where: { $0.contains(address) }) else { return client }
    }
    return client
  }

  /// Returns the authority of a request from exactly one `Host`, which a target in absolute form must repeat.
  ///
  /// `X-Forwarded-Host` is ignored: a client can send it through a proxy that does not know it, and a proxy can forward
  /// `Host` instead.
  ///
  /// - Parameter head: The head of the request.
  /// - Throws: A 400 problem if `Host` is missing, repeated or invalid, or differs from the target.
  /// - Returns: The authority.
  private static func authority(_ head: HTTPRequestHead) throws(Problem) -> Authority {
    let hosts = head.headers["host"]
    guard hosts.count == 1, let host = Authority(parsing: hosts[0]) else {
      throw .malformed("The request must have one Host header, with a name or an address and optionally a port.")
    }
    guard RequestTarget(head.uri).names(host) else {
      throw .malformed("The request's target and its Host header name different hosts: send the same host in both.")
    }
    return host
  }
}

extension HTTPHeaders {
  /// Returns the items of a list header, over all its lines.
  func items(_ name: String) -> [Substring] {
    self[name].flatMap { $0.split(separator: ",") }.map(\.withoutSpace).filter { !$0.isEmpty }
  }

  /// Returns the last item of a list header, which the nearest proxy added.
  func lastItem(_ name: String) -> Substring? { items(name).last }
}

extension Substring {
  /// The text without spaces and tabs at both ends.
  var withoutSpace: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
