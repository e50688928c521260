import JSON
import Glibc
import SystemCalls

/// Frames of the monitors, observed from outside the guest.
extension Lab {
  /// A matching frame of an output, with its time.
  public struct FrameMatch: Sendable {
    /// The first matching frame.
    public let picture: CapturedFrame
    /// The time from before the action until the request of the matching frame.
    ///
    /// It is late by at most one interval.
    public let elapsed: Duration
  }

  /// Returns the current frame of an output as a PNG file.
  ///
  /// Without a framebuffer, an output shows QEMU's placeholder.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - card: The name that `addCard` returned, or nil for the first card.
  /// - Throws: `LabError` if QEMU refuses the request.
  /// - Returns: The bytes of the PNG file.
  public func screenshot(_ output: Int, card: String? = nil) throws(LabError) -> [UInt8] {
    try dump(output, card: card, format: "png")
  }

  /// Returns the pixels of the current frame of an output.
  public func picture(_ output: Int, card: String? = nil) throws(LabError) -> CapturedFrame {
    guard let picture = CapturedFrame(ppm: try dump(output, card: card, format: "ppm")) else {
      throw LabError(.refused, "QEMU's screenshot of output \(output) cannot be read")
    }
    return picture
  }

  /// Performs an action and polls an output until it shows a matching frame.
  ///
  /// QEMU does not notify observers of new frames, so this has to poll. Use it only in tests.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - card: The name that `addCard` returned, or nil for the first card.
  ///   - within: The time limit, measured from before the action.
  ///   - interval: The pause between two polls.
  ///   - act: The action.
  ///   - matches: The predicate for the frame.
  /// - Throws: `LabError` if no frame matches in time, or if the action fails.
  /// - Returns: The matching frame and the elapsed time.
  public func waitForFrame(
    _ output: Int, card: String? = nil, within: Duration, every interval: Duration = .milliseconds(20),
    after act: () throws(LabError) -> Void = {}, until matches: (CapturedFrame) -> Bool
  ) throws(LabError) -> FrameMatch {
    let start = SystemClock.monotonicNanoseconds()
    let deadline = Deadline(in: within)
    try act()
    while true {
      let asked = SystemClock.monotonicNanoseconds()
      let picture = try picture(output, card: card)
      if matches(picture) {
        return FrameMatch(picture: picture, elapsed: .nanoseconds(Int64(clamping: asked &- start)))
      }
      guard !deadline.hasPassed else {
        throw LabError(
          .timeout,
          "output \(output) did not show the expected content within \(within.formatted); "
            + "it shows a frame of \(picture.width)x\(picture.height)")
      }
      // poll(2) without descriptors serves as the pause.
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
