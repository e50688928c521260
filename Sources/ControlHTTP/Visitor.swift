import Access
import Control
import NIOHTTP1

/// The two ends of a connection over TCP.
struct WebPeer: Hashable, Sendable {
  /// Who is at the other end: a client, or a proxy.
  var address: IPAddress
  /// The address of this machine that it came to; nil where it is not known.
  var own: IPAddress?
}

/// Who makes a request over TCP, and what they believe to be talking to. Behind a proxy that is trusted it is whom the
/// proxy names; anybody else's word does not count.
struct Visitor: Hashable, Sendable {
  /// The client's address.
  let address: IPAddress
  /// What it asked for: the scheme and what stands in `Host`.
  let origin: WebOrigin

  /// The visitor as the log calls it.
  var client: Client { .web(WebPeer(address: address)) }

  /// The visitor behind a request's head; the problem says what is wrong with the head.
  init(_ head: HTTPRequestHead, from peer: WebPeer, proxies: [AddressRange]) throws(Problem) {
    let isProxy = proxies.contains { $0.contains(peer.address) }
    let authority = try Self.authority(head)
    let isSecure = isProxy && head.headers.lastItem("x-forwarded-proto")?.lowercased() == "https"
    origin = WebOrigin(scheme: isSecure ? "https" : "http", authority: authority)
    address = isProxy ? Self.client(head.headers, behind: peer.address, proxies) : peer.address
  }

  /// Each proxy adds whom it heard at the end of the list, so that only the part behind the last stranger is true: the
  /// client is the last one that is no proxy.
  private static func client(_ headers: HTTPHeaders, behind peer: IPAddress, _ proxies: [AddressRange]) -> IPAddress {
    var client = peer
    for item in headers.items("x-forwarded-for").reversed() {
      guard let address = Authority(parsing: item)?.address ?? IPAddress(parsing: item) else { return client }
      client = address
      guard proxies.contains(where: { $0.contains(address) }) else { return client }
    }
    return client
  }

  /// What the request was sent to: exactly one `Host`, which a target in absolute form must repeat. `X-Forwarded-Host` is
  /// ignored: a client can send it through a proxy that does not know it, and a proxy can pass `Host` on instead.
  private static func authority(_ head: HTTPRequestHead) throws(Problem) -> Authority {
    let hosts = head.headers["host"]
    guard hosts.count == 1, let host = Authority(parsing: hosts[0]) else {
      throw .malformed("The request needs one header Host, with a name or an address and perhaps a port.")
    }
    guard RequestTarget(head.uri).names(host) else {
      throw .malformed("The request's target and its header Host name different hosts: send the same host in both.")
    }
    return host
  }
}

extension HTTPHeaders {
  /// The items of a header that is a list, over all its lines.
  func items(_ name: String) -> [Substring] {
    self[name].flatMap { $0.split(separator: ",") }.map(\.withoutSpace).filter { !$0.isEmpty }
  }

  /// The item that the nearest proxy has added.
  func lastItem(_ name: String) -> Substring? { items(name).last }
}

extension Substring {
  /// Less the space and tabs at both ends.
  var withoutSpace: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
