/// A box as the fleet knows it: its place, and the settings that its topics and reports contain.
package struct BridgeBox: Hashable, Sendable {
  /// The site, such as `berlin`.
  package var site: String
  /// The name of the box, unique within its site.
  package var node: String
  /// The groups to which the box belongs.
  package var tags: [String]
  /// The maximum number of messages that wait for the broker. The oldest are dropped first.
  package var queueLimit: Int
  /// The first level of Home Assistant's discovery topics; nil to send no discovery messages.
  package var discovery: String?

  /// Creates a box.
  package init(site: String, node: String, tags: [String] = [], queueLimit: Int = 10_000, discovery: String? = nil) {
    self.site = site
    self.node = node
    self.tags = tags
    self.queueLimit = queueLimit
    self.discovery = discovery
  }

  /// The beginning of all topics of the box, with a slash at the end.
  var base: String { "placard/\(site)/\(node)/" }

  /// The topic of a kind of message, such as `reported`.
  func topic(_ name: String) -> String { base + name }

  /// The topics to which the box subscribes.
  var subscriptions: [String] { [topic("cmd/+"), topic("desired")] }
}
