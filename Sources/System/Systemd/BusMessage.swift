/// A D-Bus message (D-Bus specification, "Message Protocol").
package struct BusMessage: Hashable, Sendable {
  /// The message type.
  package enum Kind: UInt8, Hashable, Sendable {
    /// A method call.
    case call = 1
    /// A method return.
    case reply
    /// An error reply.
    case error
    /// A signal emission.
    case signal
  }

  /// The message type.
  package var kind: Kind
  /// The cookie of the call that this message replies to.
  package var replyCookie: UInt64?
  /// The object that is called or that emits the signal.
  package var path: String?
  /// The interface that declares the member.
  package var interface: String?
  /// The name of the method or signal.
  package var member: String?
  /// The name of the error, for error replies.
  package var errorName: String?
  /// The bus name of the recipient; nil for signals to all, and for peers without a bus.
  package var destination: String?
  /// The bus name of the sender.
  ///
  /// The bus sets it, so senders cannot forge it.
  package var sender: String?
  /// The arguments.
  package var body: [BusValue] = []

  /// Creates a message with an empty header and body.
  ///
  /// - Parameter kind: The message type.
  package init(_ kind: Kind) { self.kind = kind }

  /// Creates a method call.
  ///
  /// - Parameters:
  ///   - member: The method's name.
  ///   - interface: The interface that declares the method.
  ///   - path: The object to call.
  ///   - destination: The bus name of the recipient, or nil if the peer is not a bus.
  ///   - body: The arguments.
  /// - Returns: The call.
  package static func call(
    _ member: String, of interface: String, at path: String, on destination: String? = nil, _ body: BusValue...
  ) -> BusMessage {
    var message = BusMessage(.call)
    (message.path, message.interface, message.member) = (path, interface, member)
    (message.destination, message.body) = (destination, body)
    return message
  }

  /// The first argument if it is a string. In error replies it is the reason, as a sentence.
  package var firstText: String? { body.first?.text }
}
