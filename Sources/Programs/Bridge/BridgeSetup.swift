package import Configuration
import Glibc
package import MQTT
import NIOCore
import NIOPosix
import SystemCalls

/// The first configuration of a bridge: its file, and the test of its connection.
package enum BridgeSetup {
  /// A failure, with the next step.
  package struct Failure: Error, CustomStringConvertible {
    /// A sentence that names the file or the broker.
    package var description: String
  }

  /// The choices of a configuration file, in the words of the file.
  package struct Choices: Sendable {
    /// The values of keys that have a text.
    package var texts: [String: String] = [:]
    /// The groups to which the box belongs.
    package var tags: [String] = []

    /// Creates choices without values.
    package init() {}

    /// The content of the file, with a key in each line.
    package var file: String {
      var lines = ["# Written by `placard setup mqtt`. All keys are in the documentation, and in scripts/mqtt.toml."]
      for key in texts.keys.sorted(by: { $1 != "broker" && ($0 == "broker" || $0 < $1) }) {
        lines.append("\(key) = \(Self.quoted(texts[key] ?? ""))")
      }
      if !tags.isEmpty { lines.append("tags = [\(tags.map(Self.quoted).joined(separator: ", "))]") }
      return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a basic string of TOML.
    private static func quoted(_ text: String) -> String {
      let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\0"..<" ", "\u{7F}": "\\u" + hexadecimal(scalar.value)
        default: String(scalar)
        }
      }
      return "\"\(escaped.joined())\""
    }

    private static func hexadecimal(_ number: UInt32) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  /// Returns the broker's address for what a user typed: a host alone means MQTT without TLS.
  ///
  /// - Parameter text: A host, a host and a port, or an address with its scheme.
  /// - Returns: The address with its scheme. It may still be invalid.
  package static func address(_ text: String) -> String { text.contains("://") ? text : "mqtt://\(text)" }

  /// Connects to a broker, subscribes to the topics of the box, and disconnects.
  ///
  /// The calling thread waits, at most about 20 seconds.
  ///
  /// - Parameters:
  ///   - options: The broker and the login.
  ///   - settings: The settings of the box.
  /// - Throws: `MQTTFault` if the broker refuses anything or does not answer.
  package static func test(_ options: MQTTOptions, _ settings: BridgeSettings) throws(MQTTFault) {
    var options = options
    // Another client with the identifier of the bridge would end the bridge's connection.
    options.client += "-setup"
    options.isClean = true
    let box = BridgeBox(site: settings.site, node: settings.node, discovery: settings.discovery)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { try? group.syncShutdownGracefully() }
    let (brokerLoop, loop) = (group.next(), group.next())
    let result = loop.makePromise(of: Void.self)
    let thread: MQTTThread
    do throws(ErrorNumber) {
      thread = try MQTTThread(on: brokerLoop)
    } catch {
      result.succeed()
      throw MQTTFault(.other, "an eventfd cannot be created: \(error)")
    }
    let tested = options
    loop.execute {
      let probe = NIOLoopBoundBox(Probe(thread, box), eventLoop: loop)
      probe.value.connection = thread.connect(tested) { event in
        loop.execute { if let outcome = probe.value.outcome(of: event) { result.completeWith(outcome) } }
      }
    }
    var fault: MQTTFault?
    do { try result.futureResult.wait() } catch { fault = error as? MQTTFault ?? MQTTFault(.other, "\(error)") }
    let stopped = loop.makePromise(of: Void.self)
    thread.stop(stopped)
    try? stopped.futureResult.wait()
    if let fault { throw fault }
  }

  /// The test of a connection.
  private struct Probe {
    let thread: MQTTThread
    let box: BridgeBox
    var connection: Int?
    private var hasEnded = false

    init(_ thread: MQTTThread, _ box: BridgeBox) {
      self.thread = thread
      self.box = box
    }

    /// Handles an event; returns the result after the last one, once.
    mutating func outcome(of event: MQTTEvent) -> Result<Void, any Error>? {
      guard !hasEnded else { return nil }
      switch event {
      case .connected:
        if let connection { thread.subscribe(box.subscriptions, on: connection) }
        return nil
      case .subscribed(let isAccepted):
        hasEnded = true
        if let connection { thread.end(connection) }
        let reason = "the broker refuses the subscriptions to \(box.base)#"
        return isAccepted ? .success(()) : .failure(MQTTFault(.refusedLogin, reason))
      case .ended(let fault):
        hasEnded = true
        return .failure(fault)
      case .message, .oversized, .published: return nil
      }
    }
  }

  /// Writes a file at once, with mode 0640 and the group placard if there is one; keeps the previous one as `FILE.old`.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - path: The path of the file, in an existing folder.
  /// - Throws: `Failure` if the file cannot be written; the previous one is then unchanged.
  package static func write(_ text: String, to path: String) throws(Failure) {
    let new = path + ".new"
    let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw failure(new, errno) }
    if let group = unsafe getgrnam("placard") { _ = unsafe fchown(descriptor, .max, group.pointee.gr_gid) }
    var failed: ErrorNumber?
    do throws(ErrorNumber) {
      try Transfer.write(Array(text.utf8), to: descriptor)
      if fsync(descriptor) != 0 { failed = ErrorNumber(errno) }
    } catch { failed = error }
    if close(descriptor) != 0, failed == nil { failed = ErrorNumber(errno) }
    if let failed {
      unsafe unlink(new)
      throw failure(new, failed.code)
    }
    unsafe rename(path, path + ".old")
    guard unsafe rename(new, path) == 0 else { throw failure(path, errno) }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    let advice = code == EACCES ? "run this as root, or choose another file with --config" : "check its folder"
    return Failure(description: "\(path) cannot be written: \(ErrorNumber(code)); \(advice)")
  }
}
