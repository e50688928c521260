/// A message of MQTT.
package struct MQTTMessage: Hashable, Sendable {
  /// The topic, without wildcards.
  package var topic: String
  /// The content.
  package var payload: [UInt8]
  /// Whether the receiver acknowledges the message (QoS 1); otherwise it may be lost (QoS 0).
  package var isAcknowledged: Bool
  /// Whether the broker keeps the message for later subscribers, or has kept this one.
  package var isRetained: Bool

  /// Creates a message.
  package init(topic: String, payload: [UInt8], isAcknowledged: Bool = true, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isAcknowledged = isAcknowledged
    self.isRetained = isRetained
  }
}

/// An event of a connection to a broker.
package enum MQTTEvent: Hashable, Sendable {
  /// The broker accepted the connection, with or without a session that it kept.
  case connected(hasSession: Bool)
  /// The broker accepted or refused the subscriptions of one call.
  case subscribed(isAccepted: Bool)
  /// A message arrived.
  case message(MQTTMessage)
  /// A message with more than `MQTTOptions.largest` bytes arrived and was discarded.
  case oversized(topic: String, bytes: Int)
  /// The broker acknowledged the message that was published with this number.
  case published(Int)
  /// The connection has ended, or could not be made. No event follows.
  case ended(MQTTFault)
}
