import CSystemd
import Glibc

/// The conversion from values to messages of sd-bus.
enum BusEncoder {
  /// Creates a message, which the caller releases.
  static func message(_ message: BusMessage, on bus: OpaquePointer) throws(BusError) -> OpaquePointer {
    let action = "send \(message.member ?? "a message")"
    var made: OpaquePointer?
    switch message.kind {
    case .call:
      try unsafe BusError.check(
        sd.bus_message_new_method_call(
          bus, &made, message.destination, message.path, message.interface, message.member), action)
      _ = unsafe sd.bus_message_set_auto_start(made, 0)
    case .signal:
      try unsafe BusError.check(
        sd.bus_message_new_signal(bus, &made, message.path, message.interface, message.member), action)
    case .reply, .error: throw BusError(action: action, code: EOPNOTSUPP)
    }
    guard let made = unsafe made else { throw BusError(action: action, code: ENOMEM) }
    do throws(BusError) {
      if message.kind == .signal, let destination = message.destination {
        try unsafe BusError.check(sd.bus_message_set_destination(made, destination), action)
      }
      for value in message.body { try unsafe append(value, to: made) }
    } catch {
      _ = unsafe sd.bus_message_unref(made)
      throw error
    }
    return unsafe made
  }

  /// Appends a value to the body of a message.
  static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
    switch value {
    case .boolean(let truth): try unsafe appendBasic("b", Int32(truth ? 1 : 0), to: message)
    case .uint16(let number): try unsafe appendBasic("q", number, to: message)
    case .int32(let number): try unsafe appendBasic("i", number, to: message)
    case .uint32(let number): try unsafe appendBasic("u", number, to: message)
    case .descriptor(let descriptor): try unsafe appendBasic("h", descriptor.number, to: message)
    case .string(let text):
      try unsafe BusError.check(
        text.withCString { unsafe sd.bus_message_append_basic(message, code("s"), $0) }, "append a string")
    case .array(let elements, let type): try unsafe append(elements, in: "a", type, to: message)
    case .entry(let key, let value):
      try unsafe append([key, value], in: "e", key.signature + value.signature, to: message)
    case .variant(let value): try unsafe append([value], in: "v", value.signature, to: message)
    case .skipped(let type): throw BusError(action: "append a value of type \(type)", code: EOPNOTSUPP)
    }
  }

  private static func appendBasic<Value: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ value: Value, to message: OpaquePointer
  ) throws(BusError) {
    let result = unsafe withUnsafePointer(to: value) { unsafe sd.bus_message_append_basic(message, code(type), $0) }
    try BusError.check(result, "append a value")
  }

  private static func append(
    _ values: [BusValue], in container: Unicode.Scalar, _ contents: String, to message: OpaquePointer
  ) throws(BusError) {
    try unsafe BusError.check(sd.bus_message_open_container(message, code(container), contents), "append a container")
    for value in values { try unsafe append(value, to: message) }
    try unsafe BusError.check(sd.bus_message_close_container(message), "append a container")
  }

  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
}
