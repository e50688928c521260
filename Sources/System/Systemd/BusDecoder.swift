import CSystemd
import Glibc

/// The conversion from messages of sd-bus to values.
enum BusDecoder {
  /// Copies a received message.
  static func message(_ message: OpaquePointer) throws(BusError) -> BusMessage {
    var type: UInt8 = 0
    try unsafe BusError.check(sd.bus_message_get_type(message, &type), "read a message")
    guard let kind = BusMessage.Kind(rawValue: type) else { throw BusError(action: "read a message", code: EBADMSG) }
    var copy = BusMessage(kind)
    var cookie: UInt64 = 0
    if unsafe sd.bus_message_get_reply_cookie(message, &cookie) >= 0 { copy.replyCookie = cookie }
    copy.path = unsafe string(sd.bus_message_get_path(message))
    copy.interface = unsafe string(sd.bus_message_get_interface(message))
    copy.member = unsafe string(sd.bus_message_get_member(message))
    copy.destination = unsafe string(sd.bus_message_get_destination(message))
    copy.sender = unsafe string(sd.bus_message_get_sender(message))
    if kind == .error, let error = unsafe sd.bus_message_get_error(message) {
      copy.errorName = unsafe string(error.pointee.name)
    }
    copy.body = try unsafe values(of: message)
    return copy
  }

  /// Reads the values up to the end of the message or container that is being read.
  ///
  /// sd-bus limits the nesting to 128 containers.
  private static func values(of message: OpaquePointer) throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while true {
      var (type, contents) = (CChar(0), unsafe UnsafePointer<CChar>?.none)
      let found = unsafe sd.bus_message_peek_type(message, &type, &contents)
      guard try BusError.check(found, "read a message") > 0 else { return values }
      let inner = unsafe string(contents) ?? ""
      switch Unicode.Scalar(UInt8(bitPattern: type)) {
      case "b": values.append(.boolean(try unsafe basic(Int32(0), type, message) != 0))
      case "q": values.append(.uint16(try unsafe basic(0, type, message)))
      case "i": values.append(.int32(try unsafe basic(0, type, message)))
      case "u": values.append(.uint32(try unsafe basic(0, type, message)))
      case "h": values.append(.descriptor(try unsafe descriptor(type, message)))
      case "s":
        var text: UnsafePointer<CChar>?
        try unsafe BusError.check(sd.bus_message_read_basic(message, type, &text), "read a string")
        values.append(.string(unsafe string(text) ?? ""))
      case "a": values.append(.array(try unsafe content(type, inner, message), of: inner))
      case "v": values.append(.variant(try unsafe content(type, inner, message).first ?? .skipped(type: inner)))
      case "e":
        let pair = try unsafe content(type, inner, message)
        values.append(pair.count == 2 ? .entry(pair[0], pair[1]) : .skipped(type: "{\(inner)}"))
      case let other:
        let signature = other == "r" ? "(\(inner))" : String(Character(other))
        try unsafe BusError.check(sd.bus_message_skip(message, signature), "skip a value")
        values.append(.skipped(type: signature))
      }
    }
  }

  private static func content(
    _ type: CChar, _ contents: String, _ message: OpaquePointer
  ) throws(BusError) -> [BusValue] {
    try unsafe BusError.check(sd.bus_message_enter_container(message, type, contents), "read a container")
    let values = try unsafe values(of: message)
    try unsafe BusError.check(sd.bus_message_exit_container(message), "read a container")
    return values
  }

  private static func basic<Value: BitwiseCopyable>(
    _ initial: Value, _ type: CChar, _ message: OpaquePointer
  ) throws(BusError) -> Value {
    var value = initial
    let result = unsafe withUnsafeMutablePointer(to: &value) { unsafe sd.bus_message_read_basic(message, type, $0) }
    try BusError.check(result, "read a value")
    return value
  }

  /// Reads a file descriptor and duplicates it, because the message closes its own.
  private static func descriptor(_ type: CChar, _ message: OpaquePointer) throws(BusError) -> PassedDescriptor {
    let own = fcntl(try unsafe basic(Int32(-1), type, message), F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw BusError(action: "duplicate a descriptor", code: errno) }
    return PassedDescriptor(own)
  }

  private static func string(_ text: UnsafePointer<CChar>?) -> String? {
    unsafe text.map { unsafe String(cString: $0) }
  }
}
