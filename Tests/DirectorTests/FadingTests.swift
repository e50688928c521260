import Configuration
import Control
import Displays
import Geometry
import Layout
import Raster
import Scenes
import Testing
import Typesetting
import VirtualDisplays
import Waiting

@testable import Director

/// Cross-fades from one item of a playlist to the next.
@Suite(.timeLimit(.minutes(10)))
struct FadingTests {
  /// A playlist of two items on a display with vertical blanks, whose first item is on screen.
  private struct Sign {
    let paced: PacedHarness
    let items: [Scene]
    let session: Int
    let style: Style
    let resources: RenderResources

    /// The time of an item, in milliseconds.
    static let time: Int64 = 10_000
    /// The share that each frame adds: at 60 Hz, 0.4 s are 24 frames.
    static let step = 11
    static let frames = 24

    /// Creates a playlist that begins a number of milliseconds after a full second.
    init(_ items: [Scene], fade: Double = 0.4, late: Int64 = 0) async throws {
      paced = try await PacedHarness()
      paced.pass(milliseconds: late)
      self.items = items
      let playlist = Playlist(items.map { .init($0) }, seconds: Double(Self.time / 1000), fade: fade)
      let request = OpenRequest(scene: Scene(.playlist(playlist)).document, display: "Virtual-1", wait: true)
      session = try #require(try await paced.director.open(request).id)
      style = try #require(await paced.director.seen(on: "Virtual-1")).view.style
      resources = try RenderResources()
      await paced.harness.rest()
      paced.harness.card.beginVBlanks()
    }

    /// Returns the pixels of a scene at the current time.
    func still(_ scene: Scene) throws -> [UInt32] {
      let context = ViewContext(now: paced.harness.clock.now, style: style, zones: ZoneCache())
      let list = try layOut(
        scene.view(in: context).view, on: DisplayMetrics(pixels: PacedHarness.size, scale: 1), with: resources)
      let canvas = Canvas(size: PacedHarness.size, format: .xrgb8888)
      _ = canvas.draw(list, with: resources)
      return unsafe canvas.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt32.self)) }
    }

    /// Lets the time of an item pass, and returns when the first frame of the next one was requested.
    func change() async {
      paced.pass(milliseconds: Self.time)
      await paced.frame { await paced.director.momentCame() }
    }

    /// Expects the newest frame to be a mixture of two pictures, as every seventh pixel shows.
    func expect(_ share: Int, of new: [UInt32], over old: [UInt32], _ location: SourceLocation = #_sourceLocation) {
      let frame = paced.pixels()
      let isMixture = stride(from: 0, to: frame.count, by: 7).allSatisfy { place in
        [0, 8, 16].allSatisfy { bits in
          let (before, after) = (Int(old[place] >> bits & 255), Int(new[place] >> bits & 255))
          return Int(frame[place] >> bits & 255) == (before * (256 - share) + after * share + 128) / 256
        }
      }
      #expect(isMixture && frame.count == new.count, "share \(share)", sourceLocation: location)
    }
  }

  @Test func `each frame is the next mixture, the last one is the item, and then nothing moves`() async throws {
    let sign = try await Sign([.banner("Bread"), .banner("Soup")])
    for (old, new) in [(0, 1), (1, 0), (0, 1)] {
      let (before, after) = (try sign.still(sign.items[old]), try sign.still(sign.items[new]))
      #expect(sign.paced.pixels() == before)
      let flips = sign.paced.flips
      await sign.change()
      for step in 1...Sign.frames {
        sign.expect(min(step * Sign.step, 256), of: after, over: before)
        if step < Sign.frames { await sign.paced.blank() }
      }
      #expect(sign.paced.flips - flips == Sign.frames)
      await sign.paced.expectRest()
      #expect(sign.paced.pixels() == after)
    }
    #expect(await sign.paced.harness.display("Virtual-1")?.missedFrames == 0)
  }

  @Test func `after missed frames the share is that of the time`() async throws {
    let sign = try await Sign([.banner("Bread"), .banner("Soup")])
    let (before, after) = (try sign.still(sign.items[0]), try sign.still(sign.items[1]))
    await sign.change()
    await sign.paced.blank()
    sign.expect(2 * Sign.step, of: after, over: before)
    await sign.paced.blank(after: 5)
    sign.expect(7 * Sign.step, of: after, over: before)
    await sign.paced.blank(after: 40)
    #expect(sign.paced.pixels() == after)
    await sign.paced.expectRest()
  }

  @Test func `without a cross-fade, and when a playlist or a message begins, the change is a cut`() async throws {
    let sign = try await Sign([.banner("Bread"), .banner("Soup")], fade: 0)
    await sign.change()
    #expect(sign.paced.pixels() == (try sign.still(sign.items[1])))
    await sign.paced.expectRest()
    let other = try await Sign([.banner("Bread"), .banner("Soup")])
    #expect(other.paced.pixels() == (try other.still(other.items[0])))
    await other.paced.frame { _ = try? await other.paced.director.close(other.session) }
    #expect(other.paced.pixels() == (try other.still(.banner("Hello"))))
    await other.paced.expectRest()
  }

  @Test func `a message in the middle of a cross-fade replaces it at once`() async throws {
    let sign = try await Sign([.banner("Bread"), .banner("Soup")])
    await sign.change()
    await sign.paced.blank()
    let request = MessageRequest(text: "Leave the building")
    try await sign.paced.frame {
      _ = try await sign.paced.director.setMessage(request)
      sign.paced.vblank()
    }
    await sign.paced.lastBlank()
    #expect(sign.paced.pixels() == (try sign.still(.banner("Leave the building"))))
    await sign.paced.expectRest()
  }

  @Test func `a line begins to move when the cross-fade to it is over`() async throws {
    let ticker = Scene(.ticker(Ticker("The train to the coast leaves from platform 7 today")))
    let sign = try await Sign([.banner("Bread"), ticker])
    let (before, start) = (try sign.still(sign.items[0]), try sign.still(ticker))
    await sign.change()
    for step in 1...Sign.frames {
      sign.expect(min(step * Sign.step, 256), of: start, over: before)
      if step < Sign.frames { await sign.paced.blank() }
    }
    await sign.paced.blank()
    var frames: Set<[UInt32]> = []
    for _ in 0..<6 {
      await sign.paced.blank()
      frames.insert(sign.paced.pixels())
    }
    #expect(frames.count == 6 && !frames.contains(start), "the line moves")
  }

  @Test func `a clock that changes in a cross-fade ends with its newest time`() async throws {
    let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true)))
    let sign = try await Sign([.banner("Bread"), clock], late: 900)
    let before = try sign.still(sign.items[0])
    await sign.change()
    await sign.paced.blank()
    sign.paced.pass(milliseconds: 100)
    await sign.paced.director.momentCame()
    let after = try sign.still(clock)
    await sign.paced.blank()
    await sign.paced.blank()
    let isMixed = sign.paced.pixels() != after
    #expect(isMixed && sign.paced.pixels() != before)
    for _ in 0..<30 where sign.paced.pixels() != after { await sign.paced.blank() }
    #expect(sign.paced.pixels() == after)
    await sign.paced.expectRest()
  }
}
