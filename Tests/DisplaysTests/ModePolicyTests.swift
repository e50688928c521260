import Displays
import Geometry
import Testing

@Suite struct ModePolicyTests {
  private let television = modes("*3840x2160@60", "3840x2160@30", "1920x1080@60", "1920x1080i@60", "1280x720@60")

  @Test func `a 4K class monitor is halved where the half is listed`() throws {
    let choice = try ModePolicy.legible.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080@60")
    #expect(choice.scale == 1)
    #expect(choice.rejected.count == 4)
    #expect(choice.rejected.first { $0.mode.isInterlaced }?.reason.hasPrefix("interlaced") == true)
    #expect(choice.reasons.count == 2)
  }

  @Test func `the half is the progressive one nearest in rate, and never slower than 49 Hz`() throws {
    let list = modes("*3840x2160@30", "1920x1080@24", "1920x1080@30", "1920x1080@60", "1920x1080@50")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@50")
    let slow = modes("*3840x2160@30", "1920x1080@24", "1920x1080@30")
    let choice = try ModePolicy.legible.choose(from: slow, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@30")
    #expect(choice.scale == 2)
    #expect(choice.reasons.last?.contains("below 49 Hz") == true)
  }

  @Test func `a lone 4K mode is kept at scale 2`() throws {
    let choice = try ModePolicy.legible.choose(from: modes("*3840x2160@60"), isEDIDPresent: true)
    #expect(choice.scale == 2)
    #expect(choice.ladder.isEmpty)
  }

  @Test func `native keeps 4K at scale 2`() throws {
    let choice = try ModePolicy.native.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@60")
    #expect(choice.scale == 2)
  }

  @Test(arguments: ["3440x1440@60", "1080x1920@60", "800x480@60", "2560x1440@144", "1920x1200@60"])
  func `what is below 4K class stays as it is`(_ text: String) throws {
    let list = modes("*" + text, "1024x768@60", "640x480@60")
    for policy in [ModePolicy.legible, .native] {
      let choice = try policy.choose(from: list, isEDIDPresent: true)
      #expect(choice.mode == list[0])
      #expect(choice.scale == 1)
    }
  }

  @Test func `halve above 1080p halves 1440p, and draws at scale 2 where it cannot`() throws {
    let halved = try ModePolicy.halveAbove1080p.choose(
      from: modes("*2560x1440@60", "1280x720@60"), isEDIDPresent: true)
    #expect("\(halved.mode)" == "1280x720@60")
    let kept = try ModePolicy.halveAbove1080p.choose(from: modes("*3440x1440@60"), isEDIDPresent: true)
    #expect("\(kept.mode)" == "3440x1440@60")
    #expect(kept.scale == 2)
    let upright = try ModePolicy.halveAbove1080p.choose(from: modes("*1080x1920@60", "540x960@60"), isEDIDPresent: true)
    #expect("\(upright.mode)" == "1080x1920@60")
  }

  @Test func `an odd size cannot be halved`() throws {
    let choice = try ModePolicy.legible.choose(from: modes("*3841x2160@60", "1920x1080@60"), isEDIDPresent: true)
    #expect(choice.scale == 2)
  }

  @Test func `half of 8K is 4K class still and drawn at scale 2`() throws {
    let choice = try ModePolicy.legible.choose(from: modes("*7680x4320@60", "3840x2160@60"), isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@60")
    #expect(choice.scale == 2)
  }

  @Test(arguments: [ModePolicy.legible, .native, .halveAbove1080p, .explicit(Size(7680, 4320))])
  func `a monitor with 8K alone is drawn at scale 4, as large as on 4K at scale 2`(policy: ModePolicy) throws {
    let choice = try policy.choose(from: modes("*7680x4320@60", "7680x4320@30"), isEDIDPresent: true)
    #expect("\(choice.mode)" == "7680x4320@60" && choice.scale == 4)
    #expect(choice.reasons.contains { $0.hasSuffix("drawn at scale 4") }, "\(choice.reasons)")
  }

  @Test func `an explicit mode is taken at the rate asked for`() throws {
    let policy = ModePolicy.explicit(Size(3840, 2160), refresh: 29_970)
    let choice = try policy.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@30")
    #expect(choice.scale == 2)
    let plain = try ModePolicy.explicit(Size(1280, 720)).choose(from: television, isEDIDPresent: true)
    #expect("\(plain.mode)" == "1280x720@60")
    #expect(plain.scale == 1)
  }

  @Test(arguments: [ModePolicy.explicit(Size(1234, 567)), .explicit(Size(1280, 720), refresh: 75_000)])
  func `an explicit mode that is not listed falls back to legible and says so`(_ policy: ModePolicy) throws {
    let choice = try policy.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080@60")
    #expect(choice.reasons.contains { $0.contains("\(policy) was asked for") && $0.contains("legible decides") })
  }

  @Test func `without a preferred mode the largest and then the fastest is taken, not the first`() throws {
    let list = modes("640x480@60", "1920x1080@60", "1920x1080@75", "1280x1024@85")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@75")
  }

  @Test func `an interlaced preference is answered with the same size in whole pictures`() throws {
    let list = modes("1280x720@60", "*1920x1080i@60", "1920x1080@24", "1920x1080@50")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@50")
    let none = modes("*1920x1080i@60", "640x480@60", "1280x720@60")
    #expect(try "\(ModePolicy.legible.choose(from: none, isEDIDPresent: true).mode)" == "1280x720@60")
  }

  @Test func `of several preferred modes the largest counts, as the kernel sorts them`() throws {
    let list = modes("*3840x2160@60", "*6016x3384@60", "*6016x3384@48", "3008x1692@60")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "3008x1692@60")
  }

  @Test func `a list without an EDID is provisional and modest`() throws {
    let list = modes("4096x2160@60", "2560x1600@60", "1920x1080@120", "1920x1080@60", "1024x768@60")
    let choice = try ModePolicy.legible.choose(from: list, isEDIDPresent: false)
    #expect(choice.isProvisional)
    #expect("\(choice.mode)" == "1920x1080@60")
    let preferred = modes("1920x1080@60", "*1024x768@60")
    #expect(try "\(ModePolicy.legible.choose(from: preferred, isEDIDPresent: false).mode)" == "1024x768@60")
    #expect(try "\(ModePolicy.native.choose(from: modes("4096x2160@60"), isEDIDPresent: false).mode)" == "4096x2160@60")
  }

  @Test func `no modes, or nothing but empty ones, is an error with reasons`() {
    #expect(throws: NoUsableMode.self) { try ModePolicy.legible.choose(from: [], isEDIDPresent: true) }
    let error = #expect(throws: NoUsableMode.self) {
      try ModePolicy.native.choose(from: modes("0x768@60"), isEDIDPresent: true)
    }
    #expect(error?.rejected.map(\.reason) == ["has no pixels or no rate"])
  }

  @Test func `interlaced modes are the last resort`() throws {
    let list = modes("1280x720i@50", "*1920x1080i@60", "0x768@60")
    let choice = try ModePolicy.legible.choose(from: list, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080i@60")
    #expect(choice.reasons.first == "the monitor lists interlaced modes only: the picture may flicker")
    #expect(choice.ladder.map { "\($0.mode)" } == ["1280x720i@50"])
    let mixed = modes("*1920x1080i@60", "640x480@60")
    #expect(
      try ModePolicy.legible.choose(from: mixed, isEDIDPresent: true).candidates.map { "\($0.mode)" } == ["640x480@60"])
  }

  @Test func `the ladder goes down in rate, then in size of the same shape, then any way`() throws {
    let list = modes(
      "640x480@60", "1280x720@60", "*1920x1080@60", "1920x1080@75", "1920x1080@50", "1920x1080@59.94", "1600x900@60",
      "1920x1200@60", "1280x1024@60", "3840x2160@30", "1280x720@50")
    let choice = try ModePolicy.legible.choose(from: list, isEDIDPresent: true)
    #expect(
      choice.ladder.map { "\($0.mode)" } == [
        "1920x1080@59.94", "1920x1080@50", "1920x1080@75", "1600x900@60", "1280x720@60", "1280x720@50",
        "1280x1024@60", "640x480@60", "1920x1200@60", "3840x2160@30",
      ])
    #expect(choice.ladder.map(\.scale) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
  }

  @Test func `the chosen mode is the very value of the list`() throws {
    let timing = Timing(
      clock: 148_500, horizontal: [1920, 2008, 2052, 2200, 0], vertical: [1080, 1084, 1089, 1125, 0], vrefresh: 60,
      flags: 5, type: 0x48, name: "1920x1080")
    var list = modes("*3840x2160@60", "1920x1080@60")
    list[1].timing = timing
    #expect(try ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode.timing == timing)
  }

  @Test(arguments: ["legible", "native", "halve-above-1080p", "1920x1080", "1920x1080@59.94", "800x480@60"])
  func `a policy is written as it is read`(_ text: String) throws {
    #expect(try #require(ModePolicy(parsing: text)).description == text)
  }

  @Test(arguments: ["", "Legible", "1920", "1920x", "0x0", "1920x1080@", "1920x1080@-1", "1920x1080@nan", "1x1@9e99"])
  func `nonsense is no policy`(_ text: String) { #expect(ModePolicy(parsing: text) == nil) }
}

/// Modes from `1920x1080@60`, with `*` before what is preferred and `i` behind the size of what is interlaced.
func modes(_ texts: String...) -> [Mode] {
  texts.map { text in
    let parts = text.drop { $0 == "*" }.split(separator: "@")
    let size = parts[0].split { $0 == "x" || $0 == "i" }.compactMap { Int($0) }
    let refresh = Int(((Double(parts[1]) ?? 0) * 1000).rounded())
    return Mode(
      size: Size(size[0], size[1]), refresh: refresh, isInterlaced: parts[0].contains("i"),
      isPreferred: text.hasPrefix("*"))
  }
}
