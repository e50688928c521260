import JSON
import Glibc

/// What the monitors show, seen from outside of the guest.
extension Lab {
  /// What was seen, and when.
  public struct Sighting: Sendable {
    /// The first picture that satisfied the question.
    public let picture: Picture
    /// From the act (or the call, where there is none) until that picture was asked for: at most one interval late.
    public let elapsed: Duration
  }

  /// What the monitor of an output shows now, as the bytes of a PNG file. An output without a picture of its own shows
  /// QEMU's placeholder.
  ///
  /// `card` is the name that `addCard` gave; nil is the first card.
  public func screenshot(_ output: Int, card: String? = nil) throws(LabError) -> [UInt8] {
    try dump(output, card: card, format: "png")
  }

  /// What the monitor of an output shows now, as pixels.
  public func picture(_ output: Int, card: String? = nil) throws(LabError) -> Picture {
    guard let picture = Picture(ppm: try dump(output, card: card, format: "ppm")) else {
      throw LabError(.refused, "QEMU's picture of output \(output) cannot be read")
    }
    return picture
  }

  /// Does `act`, then looks at an output every `interval` until the picture satisfies `isSeen`.
  ///
  /// Nothing tells an outside observer when a picture changes, so this looks again and again: for tests only.
  public func witness(
    _ output: Int, card: String? = nil, within: Duration, every interval: Duration = .milliseconds(20),
    after act: () throws(LabError) -> Void = {}, until isSeen: (Picture) -> Bool
  ) throws(LabError) -> Sighting {
    let start = monotonicNanoseconds()
    let deadline = Deadline(in: within)
    try act()
    while true {
      let asked = monotonicNanoseconds()
      let picture = try picture(output, card: card)
      if isSeen(picture) {
        return Sighting(picture: picture, elapsed: .nanoseconds(Int64(clamping: asked &- start)))
      }
      guard !deadline.hasPassed else {
        throw LabError(
          .timeout,
          "output \(output) does not show in \(within.inWords) what was waited for; "
            + "it shows a picture of \(picture.width)x\(picture.height)")
      }
      // poll(2) with nothing to wait for is the pause between two looks.
      poll(nil, 0, Deadline(in: interval).milliseconds)
    }
  }

  private func dump(_ output: Int, card: String?, format: String) throws(LabError) -> [UInt8] {
    let path = "\(directory.path)/shot-\(getpid())-\(try directory.nextNumber(of: "shots")).\(format)"
    defer { Files.remove(path) }
    try qmp().execute(
      "screendump",
      [
        "filename": .string(path), "format": .string(format), "device": .string(card ?? QEMUCommand.cardID),
        "head": .number(String(output)),
      ])
    return try Files.read(path)
  }
}
