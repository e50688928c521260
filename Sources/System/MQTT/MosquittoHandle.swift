import CMosquitto
import Glibc
import SystemCalls

/// One connection of libmosquitto, driven from outside; not thread-safe.
///
/// The library's callbacks only record what happened; `takeEvents` returns it.
@safe struct MosquittoHandle: ~Copyable {
  /// The record of the callbacks.
  private final class Record {
    var events: [MQTTEvent] = []
    /// The numbers of published messages that the broker has not acknowledged, by the library's identifiers.
    var published: [Int32: Int] = [:]
    /// The broker's refusal (CONNACK) or reason for ending the connection; nil for none.
    var refusal: Int32?
    var isConnected = false
    var largest = 0
    /// The last error that the library has logged.
    var lastError: String?
  }

  private let client: OpaquePointer
  private let record = Record()
  private let options: MQTTOptions
  /// The reason for which a certificate was refused, an X509_V_ERR code.
  private let refusedCertificate: UnsafeMutablePointer<Int32>

  /// The library needs no cleanup, because it is used until the process ends.
  private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

  /// Creates a connection without connecting.
  ///
  /// - Parameter options: The broker and the login.
  /// - Throws: `MQTTFault` if memory is missing.
  init(_ options: MQTTOptions) throws(MQTTFault) {
    guard Self.isReady, let client = unsafe mosquitto_new(options.client, options.isClean, nil) else {
      throw MQTTFault(.other, "libmosquitto cannot create a client")
    }
    unsafe self.client = unsafe client
    self.options = options
    record.largest = options.largest
    unsafe refusedCertificate = .allocate(capacity: 1)
    unsafe refusedCertificate.initialize(to: X509_V_OK)
    unsafe mosquitto_user_data_set(client, Unmanaged.passUnretained(record).toOpaque())
    setCallbacks()
  }

  // The library closes the socket and calls no callback.
  deinit {
    unsafe mosquitto_destroy(client)
    unsafe refusedCertificate.deallocate()
  }

  private func configure() throws(MQTTFault) {
    let version = options.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    _ = unsafe mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version)
    _ = unsafe mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    if options.version == .v5, !options.isClean { unsafe placard_mqtt_keep_session(client, Self.sessionSeconds) }
    if let user = options.user {
      let password = try options.password()
      try check(unsafe mosquitto_username_pw_set(client, user, password))
    }
    if let will = options.will {
      let code = unsafe will.payload.withUnsafeBytes { bytes in
        unsafe mosquitto_will_set(
          client, will.topic, Int32(clamping: bytes.count), bytes.baseAddress, will.isAcknowledged ? 1 : 0,
          will.isRetained)
      }
      try check(code)
    }
    guard let tls = options.tls else { return }
    let result = unsafe placard_tls_use(
      client, options.host, tls.authorities, tls.certificate, tls.key, refusedCertificate)
    switch result {
    case 0: return
    case 1: throw MQTTFault(.tls, "\(tls.authorities ?? "the system's certificates") cannot be read as certificates")
    case 2: throw MQTTFault(.tls, "\(tls.certificate ?? "") cannot be read as a certificate")
    case 3: throw MQTTFault(.tls, "\(tls.key ?? "") cannot be read, or is not the key of the certificate")
    default: throw MQTTFault(.tls, "OpenSSL cannot be set up")
    }
  }

  /// How long a broker of MQTT 5 keeps the session, in seconds: a week.
  private static let sessionSeconds: UInt32 = 7 * 86_400

  /// Begins to connect: looks up the host's name, which may block for seconds, and opens a socket.
  ///
  /// - Throws: `MQTTFault` if the password or a file for TLS cannot be used, the name is unknown, or the network is unreachable.
  func connect() throws(MQTTFault) {
    try configure()
    let code = unsafe mosquitto_connect_async(client, options.host, Int32(options.port), Int32(options.keepalive))
    // A negative code means that the connection is being made.
    if code > 0 { throw fault(code) }
  }

  /// The socket; nil while there is none.
  var descriptor: Int32? {
    let descriptor = unsafe mosquitto_socket(client)
    return descriptor < 0 ? nil : descriptor
  }

  /// Whether the connection waits until it can write.
  var wantsWrite: Bool { unsafe mosquitto_want_write(client) }

  /// Reads what has arrived.
  func read() throws(MQTTFault) { try check(unsafe mosquitto_loop_read(client, 1)) }

  /// Writes what is queued.
  func write() throws(MQTTFault) { try check(unsafe mosquitto_loop_write(client, 1)) }

  /// Sends a ping if there was no message for the keepalive time, and fails if the last one was not answered.
  func keepAlive() throws(MQTTFault) { try check(unsafe mosquitto_loop_misc(client)) }

  /// Throws if the connection has ended in a callback.
  func checkSocket() throws(MQTTFault) {
    if descriptor == nil { throw fault(MOSQ_ERR_CONN_LOST.code) }
  }

  /// Publishes a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - number: The number for `MQTTEvent.published`.
  /// - Throws: `MQTTFault` if the connection has ended, or if the broker does not accept a message of this size.
  func publish(_ message: MQTTMessage, number: Int) throws(MQTTFault) {
    var identifier: Int32 = 0
    let code = unsafe message.payload.withUnsafeBytes { bytes in
      unsafe mosquitto_publish(
        client, &identifier, message.topic, Int32(clamping: bytes.count), bytes.baseAddress,
        message.isAcknowledged ? 1 : 0, message.isRetained)
    }
    try check(code)
    if message.isAcknowledged { record.published[identifier] = number }
  }

  /// Subscribes to topics.
  func subscribe(_ topics: [String]) throws(MQTTFault) {
    var names = unsafe topics.map { unsafe strdup($0) }
    defer { unsafe names.forEach { unsafe free($0) } }
    try check(
      unsafe names.withUnsafeMutableBufferPointer { names in
        unsafe names.withMemoryRebound(to: UnsafeMutablePointer<CChar>?.self) { names in
          unsafe mosquitto_subscribe_multiple(
            client, nil, Int32(names.count), names.baseAddress, Int32(options.qos), 0, nil)
        }
      })
  }

  /// Takes leave of the broker, which then does not publish the will.
  func disconnect() { _ = unsafe mosquitto_disconnect(client) }

  /// Returns what happened since the last call.
  func takeEvents() -> [MQTTEvent] {
    defer { record.events = [] }
    return record.events
  }
}

extension MosquittoHandle {
  private func setCallbacks() {
    unsafe mosquitto_connect_with_flags_callback_set(client) { _, object, code, flags in
      guard let record = unsafe Self.record(object) else { return }
      if code == 0 {
        record.isConnected = true
        record.events.append(.connected(hasSession: flags & 1 == 1))
      } else {
        record.refusal = code
      }
    }
    unsafe mosquitto_disconnect_callback_set(client) { _, object, code in
      // Codes from 128 on are the broker's (MQTT 5, 2.4); lower ones are also returned by the call that failed.
      if code >= 128 { unsafe Self.record(object)?.refusal = code }
    }
    unsafe mosquitto_message_callback_set(client) { _, object, message in
      guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
      guard let record = unsafe Self.record(object) else { return }
      let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
      guard bytes.count <= record.largest else {
        return unsafe record.events.append(.oversized(topic: String(cString: topic), bytes: bytes.count))
      }
      let copy = unsafe MQTTMessage(
        topic: String(cString: topic), payload: Array(bytes), isAcknowledged: message.qos > 0,
        isRetained: message.retain)
      record.events.append(.message(copy))
    }
    unsafe mosquitto_publish_callback_set(client) { _, object, identifier in
      guard let record = unsafe Self.record(object) else { return }
      guard let number = record.published.removeValue(forKey: identifier) else { return }
      record.events.append(.published(number))
    }
    unsafe mosquitto_subscribe_callback_set(client) { _, object, _, count, granted in
      let codes = unsafe UnsafeBufferPointer(start: granted, count: Int(count))
      let isAccepted = unsafe codes.allSatisfy { $0 < 128 }
      unsafe Self.record(object)?.events.append(.subscribed(isAccepted: isAccepted))
    }
    unsafe mosquitto_log_callback_set(client) { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
      unsafe Self.record(object)?.lastError = String(cString: text)
    }
  }

  @unsafe private static func record(_ object: UnsafeMutableRawPointer?) -> Record? {
    unsafe object.map { unsafe Unmanaged<Record>.fromOpaque($0).takeUnretainedValue() }
  }

  private func check(_ code: Int32) throws(MQTTFault) {
    if code != MOSQ_ERR_SUCCESS.code { throw fault(code) }
  }

  /// Returns the fault for the code of a failed call.
  private func fault(_ code: Int32) -> MQTTFault {
    let system = errno
    if let refusal = record.refusal { return Self.refusal(refusal, options) }
    let certificate = unsafe refusedCertificate.pointee
    if certificate != X509_V_OK {
      let reason = unsafe String(cString: X509_verify_cert_error_string(Int(certificate)))
      return MQTTFault(.certificate, "the broker's certificate is refused: \(reason)")
    }
    let text = unsafe String(cString: mosquitto_strerror(code))
    switch code {
    case MOSQ_ERR_EAI.code: return MQTTFault(.unknownHost, "the host name \(options.host) is unknown")
    case MOSQ_ERR_TLS.code:
      return MQTTFault(.tls, "TLS failed: \(record.lastError.map(Self.shortened) ?? text)")
    case MOSQ_ERR_PROTOCOL.code, MOSQ_ERR_MALFORMED_PACKET.code:
      return MQTTFault(.otherProtocol, "the server does not answer as an MQTT broker")
    case MOSQ_ERR_ERRNO.code, MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_NO_CONN.code, MOSQ_ERR_CONN_REFUSED.code:
      let reason = code == MOSQ_ERR_ERRNO.code && system != 0 ? "\(ErrorNumber(system))" : nil
      if record.isConnected { return MQTTFault(.lost, reason ?? "the connection was closed") }
      if let reason, system != ECONNRESET, system != EPIPE { return MQTTFault(.unreachable, reason) }
      return MQTTFault(.otherProtocol, "the server closed the connection before it answered as an MQTT broker")
    case MOSQ_ERR_NOMEM.code: return MQTTFault(.outOfMemory, "there is not enough memory for a message")
    default: return MQTTFault(record.isConnected ? .lost : .other, text)
    }
  }

  /// Returns the last part of a text of OpenSSL, `error:0A00010B:SSL routines::wrong version number`.
  private static func shortened(_ text: String) -> String {
    text.split(separator: UInt8(ascii: ":").character).last.map(String.init) ?? text
  }

  /// Returns the fault for a code of CONNACK (MQTT 3.1.1, 3.2.2.3) or a reason code of MQTT 5 (2.4).
  private static func refusal(_ code: Int32, _ options: MQTTOptions) -> MQTTFault {
    switch code {
    case 1, 0x84: MQTTFault(.otherProtocol, "the broker does not speak MQTT \(options.version.rawValue)")
    case 2, 0x85: MQTTFault(.refusedClient, "the broker refuses the client identifier \(options.client)")
    case 3, 0x88, 0x89, 0x8B: MQTTFault(.unavailable, "the broker is not available")
    case 4, 0x86: MQTTFault(.refusedLogin, "the broker refuses the user name or the password")
    case 5, 0x87, 0x8C: MQTTFault(.refusedLogin, "the broker does not authorize this client")
    case 0x8E: MQTTFault(.refusedClient, "another client has connected with the identifier \(options.client)")
    default: MQTTFault(.other, "the broker ended the connection with code \(code)")
    }
  }
}

extension mosq_err_t {
  /// The code as the library's functions return it.
  var code: Int32 { Int32(rawValue) }
}

extension UInt8 {
  fileprivate var character: Character { Character(Unicode.Scalar(self)) }
}
