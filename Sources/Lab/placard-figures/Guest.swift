import Control
import Glibc
import Lab

/// A virtual machine (the guest) and the programs that are measured in it.
final class Guest {
  let lab: Lab
  private let programs: String
  private let yardsticks: String
  static let socket = "/run/placard-figures.sock"
  private var starts = 0

  init(programs: String, yardsticks: String = "", card: LabOptions.Card = .virtioGPU(outputs: 4)) throws {
    self.programs = programs
    self.yardsticks = yardsticks
    var options = LabOptions()
    options.card = card
    options.agent = "\(programs)/placard-lab"
    lab = try Lab.boot(options)
  }

  /// Returns the command line of the service.
  ///
  /// Each start uses a new, empty state file.
  func service(_ policy: String) -> [String] {
    starts += 1
    return [
      "\(programs)/placardd", "--backend", "kms", "--socket", Guest.socket, "--state",
      "/run/placard-figures-\(starts).db", "--policy", policy, "--message",
      "Welcome to Building 4: please sign in at the front desk",
    ]
  }

  /// Returns the command line of a bare KMS client.
  func bareClient(_ kind: String = "") -> [String] { ["\(yardsticks)/bare\(kind)"] }

  /// Starts the service and waits until it reports that it is ready.
  func startService(_ policy: String, _ options: [String] = []) throws -> LabProcess {
    let process = try lab.start(service(policy) + options)
    try process.waitForLine(containing: "ready:", within: .seconds(30))
    return process
  }

  /// Starts `placard`.
  ///
  /// If `input` is nil, its standard input stays open for later writes.
  func placard(_ arguments: [String], input: [UInt8]? = []) throws(LabError) -> LabProcess {
    try lab.start(["\(programs)/placard"] + arguments + ["--socket", Guest.socket], input: input)
  }

  /// Opens a scene on a display and waits until it is visible.
  func open(_ scene: String, on display: String) throws {
    let tool = try placard(["open", "-", display, "--wait"], input: Array(scene.utf8))
    let result = try tool.wait(within: .seconds(30))
    guard result.status.isSuccess else { throw FiguresError("\(display) does not show \(scene): \(result.errors)") }
  }

  /// Ends a program and waits for its exit.
  func end(_ process: LabProcess) throws {
    try process.kill(SIGTERM)
    _ = try process.wait(within: .seconds(20))
  }

  /// Returns the seconds from an action until an output shows the expected frame.
  ///
  /// Each screenshot keeps QEMU and a core of the host busy for about as long as rendering a frame. The action should
  /// therefore wait until the program reports the frame. The first screenshot then verifies it.
  func time(_ output: Int, _ matches: (CapturedFrame) -> Bool, after act: () throws(LabError) -> Void) throws -> Double
  {
    try lab.waitForFrame(output, within: .seconds(30), every: .milliseconds(2), after: act, until: matches).elapsed
      .inSeconds
  }

  /// Waits until an output no longer shows the expected frame.
  func waitForDifferentFrame(_ output: Int, than matches: (CapturedFrame) -> Bool) throws {
    _ = try lab.waitForFrame(output, within: .seconds(30)) { !matches($0) }
  }
}

/// The reason why a measurement failed.
struct FiguresError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Predicates for the frames of the measured programs.
enum FramePredicate {
  /// Matches the service's frame at a size: its background color in the corners, and text.
  static func placard(_ size: Extent) -> (CapturedFrame) -> Bool {
    let ground = CapturedFrame.Pixel(red: 0x0b, green: 0x1f, blue: 0x4b)
    return { picture in
      isFilled(picture, size, ground) && picture.count(notEqualTo: ground) > 1000
    }
  }

  /// Matches the bare client's frame.
  static func bare(_ size: Extent) -> (CapturedFrame) -> Bool {
    { isFilled($0, size, bareGround) }
  }

  /// Matches the frame of the bare client that draws text.
  static func line(_ size: Extent) -> (CapturedFrame) -> Bool {
    { isFilled($0, size, bareGround) && $0.count(notEqualTo: bareGround) > 1000 }
  }

  private static let bareGround = CapturedFrame.Pixel(red: 0x40, green: 0, blue: 0)

  private static func isFilled(_ picture: CapturedFrame, _ size: Extent, _ ground: CapturedFrame.Pixel) -> Bool {
    picture.width == size.width && picture.height == size.height && picture.pixel(3, 3) == ground
      && picture.pixel(size.width - 4, size.height - 4) == ground
  }
}

/// The size of a monitor in pixels.
struct Extent {
  var width: Int
  var height: Int
  static let hd = Extent(width: 1920, height: 1080)
  static let uhd = Extent(width: 3840, height: 2160)
}
