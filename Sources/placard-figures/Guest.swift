import Control
import Glibc
import Lab

/// A guest and the programs that are measured in it.
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

  /// The service's command line: each start knows nothing of those before it.
  func service(_ policy: String) -> [String] {
    starts += 1
    return [
      "\(programs)/placardd", "--backend", "kms", "--socket", Guest.socket, "--state",
      "/run/placard-figures-\(starts).db", "--policy", policy, "--message",
      "Welcome to Building 4: please sign in at the front desk",
    ]
  }

  /// A bare client's command line.
  func bareClient(_ kind: String = "") -> [String] { ["\(yardsticks)/bare\(kind)"] }

  /// Starts the service and waits until it says that it is ready.
  func startService(_ policy: String, _ options: [String] = []) throws -> GuestProcess {
    let process = try lab.start(service(policy) + options)
    try process.waitForLine(containing: "ready:", within: .seconds(30))
    return process
  }

  /// Starts `placard`; without an input, that is to be written later.
  func placard(_ arguments: [String], input: [UInt8]? = []) throws(LabError) -> GuestProcess {
    try lab.start(["\(programs)/placard"] + arguments + ["--socket", Guest.socket], input: input)
  }

  /// Opens a scene on a display, and waits until it is seen.
  func open(_ scene: String, on display: String) throws {
    let tool = try placard(["open", "-", display, "--wait"], input: Array(scene.utf8))
    let result = try tool.wait(within: .seconds(30))
    guard result.status.isSuccess else { throw FiguresError("\(display) does not show \(scene): \(result.errors)") }
  }

  /// Ends a program and waits until it has.
  func end(_ process: GuestProcess) throws {
    try process.kill(SIGTERM)
    _ = try process.wait(within: .seconds(20))
  }

  /// Seconds from an act until an output shows what is looked for.
  ///
  /// A look takes QEMU and this machine's other core for as long as a frame takes to paint, so the act should wait for
  /// the program's own word first; then the first look decides whether it is true.
  func time(_ output: Int, _ isSeen: (Picture) -> Bool, after act: () throws(LabError) -> Void) throws -> Double {
    try lab.witness(output, within: .seconds(30), every: .milliseconds(2), after: act, until: isSeen).elapsed.inSeconds
  }

  /// Waits until an output shows none of the measured pictures any more.
  func waitForOther(_ output: Int, than isSeen: (Picture) -> Bool) throws {
    _ = try lab.witness(output, within: .seconds(30)) { !isSeen($0) }
  }
}

/// Why something could not be measured.
struct FiguresError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What the measured programs show.
enum Look {
  /// The service's picture of a size: its ground at the corners, and letters.
  static func placard(_ size: Extent) -> (Picture) -> Bool {
    let ground = Picture.Pixel(red: 0x0b, green: 0x1f, blue: 0x4b)
    return { picture in
      isFilled(picture, size, ground) && picture.count(notEqualTo: ground) > 1000
    }
  }

  /// The bare client's picture.
  static func bare(_ size: Extent) -> (Picture) -> Bool {
    { isFilled($0, size, bareGround) }
  }

  /// The same with letters.
  static func line(_ size: Extent) -> (Picture) -> Bool {
    { isFilled($0, size, bareGround) && $0.count(notEqualTo: bareGround) > 1000 }
  }

  private static let bareGround = Picture.Pixel(red: 0x40, green: 0, blue: 0)

  private static func isFilled(_ picture: Picture, _ size: Extent, _ ground: Picture.Pixel) -> Bool {
    picture.width == size.width && picture.height == size.height && picture.pixel(3, 3) == ground
      && picture.pixel(size.width - 4, size.height - 4) == ground
  }
}

/// A monitor's size in pixels.
struct Extent {
  var width: Int
  var height: Int
  static let hd = Extent(width: 1920, height: 1080)
  static let uhd = Extent(width: 3840, height: 2160)
}
