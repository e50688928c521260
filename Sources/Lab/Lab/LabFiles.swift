import Glibc

/// Variants of calls with byte arrays for files on the host and for this program's standard streams.
extension Lab {
  /// Copies a file of the guest to a file on the host.
  ///
  /// - Parameters:
  ///   - path: The file in the guest.
  ///   - file: The file on the host, or nil for this program's standard output.
  ///   - within: The time limit.
  /// - Throws: `LabError` if reading or writing fails.
  public func get(_ path: String, toFile file: String?, within: Duration = .generous) throws(LabError) {
    let content = try get(path, within: within)
    if let file { return try Files.write(content, to: file) }
    try Descriptor(dup(1)).writeAll(content, until: Deadline(in: within), to: "standard output")
  }

  /// Returns the EDID in a file on the host.
  public static func edid(ofFile file: String) throws(LabError) -> [UInt8] {
    try Files.read(file)
  }

  /// Writes the current frame of an output to a PNG file on the host.
  ///
  /// - Parameters:
  ///   - output: The index of the output or connector.
  ///   - card: The name of an added card, or of a USB card that another program runs. Nil is the first card.
  ///   - file: The PNG file on the host.
  /// - Throws: `LabError` if there is no frame or the file cannot be written.
  public func screenshot(_ output: Int, card: String? = nil, toFile file: String) throws(LabError) {
    if let card, Files.exists(directory.usbSocket(card)) {
      return try Files.write(try shot(output, ofCard: card), to: file)
    }
    try Files.write(try screenshot(output, card: card), to: file)
  }

  /// Connects a monitor with the EDID in a file on the host.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - file: The file with the EDID.
  ///   - size: The maximum size of the virtual cable in pixels, as for `plug(_:edid:size:)`.
  /// - Throws: `LabError` if the file cannot be read or the kernel refuses the EDID.
  public func plug(
    _ output: Int, edidFile file: String, size: (width: Int, height: Int)? = nil
  ) throws(LabError) {
    try plug(output, edid: try Files.read(file), size: size)
  }
}

extension LabProcess {
  /// Connects the process with this program's standard streams until it ends.
  ///
  /// - Throws: `LabError` if a stream cannot be written.
  /// - Returns: The exit status of the process.
  public func relayStandardStreams() throws(LabError) -> ExitStatus {
    let process = self
    // The thread stays in read(2) if the guest's program ends first. It holds no resources that must be released.
    try startThread("lab-input") {
      let input = Descriptor(dup(0))
      while case .bytes(let bytes) = input.read() {
        guard (try? process.write(bytes)) != nil else { return }
      }
      try? process.closeInput()
    }
    let (output, errors) = (Descriptor(dup(1)), Descriptor(dup(2)))
    let forever = Duration.seconds(1 << 30)
    while let chunk = nextChunk(within: forever) {
      try output.writeAll(chunk.output, until: Deadline(in: forever), to: "standard output")
      try errors.writeAll(chunk.errors, until: Deadline(in: forever), to: "standard error")
    }
    return try wait(within: .zero).status
  }
}
