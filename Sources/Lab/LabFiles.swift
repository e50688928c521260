import Glibc

/// The same as the calls that give and take bytes, for files of the host, and the streams of this program.
extension Lab {
  /// Copies a file of the guest to a file of the host, or to this program's standard output (nil).
  public func get(_ path: String, toFile file: String?, within: Duration = .seconds(60)) throws(LabError) {
    let content = try get(path, within: within)
    if let file { return try Files.write(content, to: file) }
    try Descriptor(dup(1)).writeAll(content, until: Deadline(in: within), to: "standard output")
  }

  /// The EDID that a file of the host holds.
  public static func edid(ofFile file: String) throws(LabError) -> [UInt8] {
    try Files.read(file)
  }

  /// Writes what the monitor of an output shows to a PNG file of the host; `card` may be a USB card that another program
  /// plays, too.
  public func screenshot(_ output: Int, card: String? = nil, toFile file: String) throws(LabError) {
    if let card, Files.exists(directory.usbSocket(card)) {
      return try Files.write(try shot(output, ofCard: card), to: file)
    }
    try Files.write(try screenshot(output, card: card), to: file)
  }

  /// Plugs a monitor with the EDID that a file of the host holds; see `plug(_:edid:size:)`.
  public func plug(
    _ output: Int, edidFile file: String, size: (width: Int, height: Int)? = nil
  ) throws(LabError) {
    try plug(output, edid: try Files.read(file), size: size)
  }
}

extension GuestProcess {
  /// Passes this program's standard input to it, and its output and errors to this program's, until it ends.
  public func relayStandardStreams() throws(LabError) -> ExitStatus {
    let process = self
    // The thread stays in read(2) when the guest's program ends first: it holds nothing that must be given back.
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
