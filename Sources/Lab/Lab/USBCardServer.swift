import JSON
import Glibc

/// A server that gives other programs access to a USB card of this process.
///
/// It listens on a Unix socket in the lab's directory. Each request is one line of JSON, as is its reply.
struct USBCardServer: Sendable {
  let card: USBCard
  private let path: String
  private let socket: Descriptor

  init(_ card: USBCard, at path: String) throws(LabError) {
    self.card = card
    self.path = path
    socket = try UnixSocket.listen(at: path)
  }

  /// Serves requests until the card is removed or the guest ends.
  func run() throws(LabError) {
    try startThread("lab-usb-requests") { self.accept() }
    card.waitForEnd()
    Files.remove(path)
  }

  private func accept() {
    while true {
      let number = Glibc.accept(socket.number, nil, nil)
      guard number >= 0 || errno == EINTR else { return }
      if number >= 0 { serve(Descriptor(number, isSocket: true)) }
    }
  }

  private func serve(_ client: Descriptor) {
    let deadline = Deadline(in: .seconds(30))
    guard let line = try? client.readLine(until: deadline), let request = try? JSONValue(parsing: line) else { return }
    let answer: JSONValue
    do throws(LabError) {
      answer = try self.answer(to: request)
    } catch {
      answer = .object(["error": .string(error.description)])
    }
    try? client.writeAll(answer.encoded + [0x0A], until: deadline, to: "the other program")
    // Remove the card only after the reply, so that the client receives it.
    if request["do"]?.text == "yank" { card.unplug() }
  }

  private func answer(to request: JSONValue) throws(LabError) -> JSONValue {
    let connector = request["connector"]?.integer ?? 0
    switch request["do"]?.text {
    case "connect": try card.connect(connector, edid: request["edid"]?.bytes ?? [])
    case "disconnect": try card.disconnect(connector)
    case "shot":
      guard let picture = try card.picture(connector) else {
        throw LabError(.refused, "the monitor of connector \(connector) of \(card.name) is dark, or there is none")
      }
      try Files.write(picture.png, to: request["file"]?.text ?? "")
    default: break
    }
    let isConnected = (try? card.isConnected(connector)) ?? false
    return .object([
      "node": .string(card.node), "connectors": .array(card.connectorNames.map { .string($0) }),
      "isConnected": .bool(isConnected),
    ])
  }
}

extension Lab {
  /// Adds a USB card to a lab of another program and runs it until it is removed or the lab ends.
  ///
  /// After the guest has detected the card, this prints the card's name and connectors to standard output. It is meant
  /// as the main function of a dedicated process.
  ///
  /// - Parameters:
  ///   - name: The name of the lab.
  ///   - plug: The function that adds the card.
  /// - Throws: `LabError` if the card cannot be added or the socket cannot be opened.
  public static func serveUSBCard(in name: String, plug: (Lab) throws(LabError) -> USBCard) throws(LabError) {
    let lab = try Lab.attach(to: name)
    let card = try plug(lab)
    let server = try USBCardServer(card, at: lab.directory.usbSocket(card.name))
    // QMP accepts one client at a time and the guest has few ports, so release both for other programs.
    lab.letGo()
    let line = "\(card.name): \(card.connectorNames.joined(separator: " "))\n"
    try Descriptor(dup(1)).writeAll(Array(line.utf8), until: Deadline(in: .seconds(5)), to: "standard output")
    try server.run()
  }

  /// Starts a dedicated process that runs a USB card and outlives this program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments with which this executable calls `serveUSBCard`.
  ///   - within: The time limit for the card's detection by the guest.
  /// - Throws: `LabError` if the process cannot be started or does not report the card in time.
  /// - Returns: The first line of its output: the card's name and its connectors.
  public static func startUSBCard(_ arguments: [String], within: Duration = .seconds(300)) throws(LabError) -> String {
    let answer = try spawnUSBCard(arguments).readLine(until: Deadline(in: within))
    return String(decoding: answer, as: UTF8.self)
  }

  /// Starts the process and returns the read end of its standard output.
  ///
  /// Only the new process holds the write end.
  private static func spawnUSBCard(_ arguments: [String]) throws(LabError) -> Descriptor {
    let (output, null, errors) = (try makePipe(), try Descriptor.open("/dev/null", O_RDWR), Descriptor(dup(2)))
    var spawn = Spawn(arguments: ["/proc/self/exe"] + arguments)
    spawn.descriptors = [(null.number, 0), (output.write.number, 1), (errors.number, 2)]
    spawn.newSession = true
    _ = try spawn.start()
    return output.read
  }

  /// Sends a request to the process that runs a USB card, and returns its reply.
  private func ask(_ card: String, _ request: [String: JSONValue]) throws(LabError) -> JSONValue {
    let socket: Descriptor
    do throws(LabError) {
      socket = try UnixSocket.connect(to: directory.usbSocket(card))
    } catch {
      throw LabError(
        .missing, "no program emulates a card \(card) in the lab \(name); plug one in: placard-lab plug --hdmi ...")
    }
    let deadline = Deadline(in: .seconds(30))
    try socket.writeAll(JSONValue.object(request).encoded + [0x0A], until: deadline, to: card)
    guard let answer = try? JSONValue(parsing: try socket.readLine(until: deadline)) else {
      throw LabError(.ended, "the program that emulates \(card) did not answer")
    }
    if let error = answer["error"]?.text { throw LabError(.refused, error) }
    return answer
  }

  /// Connects a monitor to a USB card of another program, and makes the guest probe the connector.
  ///
  /// - Parameters:
  ///   - edid: The EDID. If it is empty, the monitor provides none.
  ///   - connector: The index of the connector. A connected monitor is disconnected first.
  ///   - card: The name of the card.
  /// - Throws: `LabError` if the card or connector does not exist.
  public func plug(_ edid: [UInt8], into connector: Int, ofCard card: String) throws(LabError) {
    let before = try ask(card, ["do": "look", "connector": .number("\(connector)")])
    if case .bool(true)? = before["isConnected"] { try unplug(connector, ofCard: card) }
    let bytes = JSONValue.array(edid.map { .number("\($0)") })
    try look(connector, try ask(card, ["do": "connect", "connector": .number("\(connector)"), "edid": bytes]))
  }

  /// Disconnects a monitor of a USB card of another program, and makes the guest probe the connector.
  public func unplug(_ connector: Int, ofCard card: String) throws(LabError) {
    try look(connector, try ask(card, ["do": "disconnect", "connector": .number("\(connector)")]))
  }

  /// Returns the current frame of such a card's connector as a PNG file, passed through a file in the lab's directory.
  func shot(_ connector: Int, ofCard card: String) throws(LabError) -> [UInt8] {
    let path = "\(directory.path)/shot-\(getpid())-\(try directory.nextNumber(of: "shots")).png"
    defer { Files.remove(path) }
    _ = try ask(card, ["do": "shot", "connector": .number("\(connector)"), "file": .string(path)])
    return try Files.read(path)
  }

  /// Removes a card: one that `addCard` added, or a USB card of another program.
  ///
  /// - Parameters:
  ///   - card: The name of the card.
  ///   - within: The time limit for the guest's uevent.
  /// - Throws: `LabError` if the card does not exist or the guest does not remove it in time.
  public func yank(card: String, within: Duration = .seconds(30)) throws(LabError) {
    if card.hasPrefix("card") { return try removeCard(card, within: within) }
    let mark = try ueventCount
    _ = try ask(card, ["do": "yank"])
    try removeUSBDevice(card, from: mark, within: within)
  }

  private func look(_ connector: Int, _ answer: JSONValue) throws(LabError) {
    guard let node = answer["node"]?.text, case .array(let names)? = answer["connectors"],
      names.indices.contains(connector), let name = names[connector].text
    else { throw LabError(.refused, "the program that emulates the card did not report its name in the guest") }
    try look(atConnector: name, of: node)
  }
}

extension JSONValue {
  /// The bytes of an array of numbers from 0 to 255, or nil for any other value.
  fileprivate var bytes: [UInt8]? {
    guard case .array(let elements) = self else { return nil }
    let bytes = elements.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
    return bytes.count == elements.count ? bytes : nil
  }
}
