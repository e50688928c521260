import Displays
import Geometry
import Testing

@Suite struct ModePolicyTests {
  private let television = modes("*3840x2160@60", "3840x2160@30", "1920x1080@60", "1920x1080i@60", "1280x720@60")

  @Test func `a 4K class monitor gets half its size if that is listed`() throws {
    let choice = try ModePolicy.legible.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080@60")
    #expect(choice.scale == 1)
    #expect(choice.rejected.count == 4)
    #expect(choice.rejected.first { $0.mode.isInterlaced }?.reason.hasPrefix("interlaced") == true)
    #expect(choice.reasons.count == 2)
  }

  @Test func `the half-size mode is progressive, has the nearest rate, and is never slower than 49 Hz`() throws {
    let list = modes("*3840x2160@30", "1920x1080@24", "1920x1080@30", "1920x1080@60", "1920x1080@50")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@50")
    let slow = modes("*3840x2160@30", "1920x1080@24", "1920x1080@30")
    let choice = try ModePolicy.legible.choose(from: slow, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@30")
    #expect(choice.scale == 2)
    #expect(choice.reasons.last?.contains("below 49 Hz") == true)
  }

  @Test func `a single 4K mode is used at scale 2`() throws {
    let choice = try ModePolicy.legible.choose(from: modes("*3840x2160@60"), isEDIDPresent: true)
    #expect(choice.scale == 2)
    #expect(choice.ladder.isEmpty)
  }

  @Test func `policy native uses 4K at scale 2`() throws {
    let choice = try ModePolicy.native.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@60")
    #expect(choice.scale == 2)
  }

  @Test(arguments: ["3440x1440@60", "1080x1920@60", "800x480@60", "2560x1440@144", "1920x1200@60"])
  func `a size below the 4K class is used at scale 1`(_ text: String) throws {
    let list = modes("*" + text, "1024x768@60", "640x480@60")
    for policy in [ModePolicy.legible, .native] {
      let choice = try policy.choose(from: list, isEDIDPresent: true)
      #expect(choice.mode == list[0])
      #expect(choice.scale == 1)
    }
  }

  @Test func `policy halve-above-1080p halves 1440p, or draws at scale 2 if the half is not listed`() throws {
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

  @Test func `half of 8K is still 4K class and is drawn at scale 2`() throws {
    let choice = try ModePolicy.legible.choose(from: modes("*7680x4320@60", "3840x2160@60"), isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@60")
    #expect(choice.scale == 2)
  }

  @Test(arguments: [ModePolicy.legible, .native, .halveAbove1080p, .explicit(Size(7680, 4320))])
  func `a monitor with only 8K is drawn at scale 4, as large as 4K at scale 2`(policy: ModePolicy) throws {
    let choice = try policy.choose(from: modes("*7680x4320@60", "7680x4320@30"), isEDIDPresent: true)
    #expect("\(choice.mode)" == "7680x4320@60" && choice.scale == 4)
    #expect(choice.reasons.contains { $0.hasSuffix("drawn at scale 4") }, "\(choice.reasons)")
  }

  @Test func `an explicit mode is used at the requested rate`() throws {
    let policy = ModePolicy.explicit(Size(3840, 2160), refresh: 29_970)
    let choice = try policy.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "3840x2160@30")
    #expect(choice.scale == 2)
    let plain = try ModePolicy.explicit(Size(1280, 720)).choose(from: television, isEDIDPresent: true)
    #expect("\(plain.mode)" == "1280x720@60")
    #expect(plain.scale == 1)
  }

  @Test(arguments: [ModePolicy.explicit(Size(1234, 567)), .explicit(Size(1280, 720), refresh: 75_000)])
  func `an explicit mode that is not listed falls back to policy legible, with a reason`(_ policy: ModePolicy) throws {
    let choice = try policy.choose(from: television, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080@60")
    #expect(choice.reasons.contains { $0.contains("\(policy) was requested") && $0.contains("legible decides") })
  }

  @Test func `without a preferred mode, the largest mode is chosen, then the fastest`() throws {
    let list = modes("640x480@60", "1920x1080@60", "1920x1080@75", "1280x1024@85")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@75")
  }

  @Test func `a preferred interlaced mode is replaced by a progressive one of the same size`() throws {
    let list = modes("1280x720@60", "*1920x1080i@60", "1920x1080@24", "1920x1080@50")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "1920x1080@50")
    let none = modes("*1920x1080i@60", "640x480@60", "1280x720@60")
    #expect(try "\(ModePolicy.legible.choose(from: none, isEDIDPresent: true).mode)" == "1280x720@60")
  }

  @Test func `the largest of several preferred modes is chosen, as the kernel sorts them`() throws {
    let list = modes("*3840x2160@60", "*6016x3384@60", "*6016x3384@48", "3008x1692@60")
    #expect(try "\(ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode)" == "3008x1692@60")
  }

  @Test func `a choice without an EDID is provisional and at most 1920x1080`() throws {
    let list = modes("4096x2160@60", "2560x1600@60", "1920x1080@120", "1920x1080@60", "1024x768@60")
    let choice = try ModePolicy.legible.choose(from: list, isEDIDPresent: false)
    #expect(choice.isProvisional)
    #expect("\(choice.mode)" == "1920x1080@60")
    let preferred = modes("1920x1080@60", "*1024x768@60")
    #expect(try "\(ModePolicy.legible.choose(from: preferred, isEDIDPresent: false).mode)" == "1024x768@60")
    #expect(try "\(ModePolicy.native.choose(from: modes("4096x2160@60"), isEDIDPresent: false).mode)" == "4096x2160@60")
  }

  @Test func `a list without usable modes is an error with reasons`() {
    #expect(throws: NoUsableMode.self) { try ModePolicy.legible.choose(from: [], isEDIDPresent: true) }
    let error = #expect(throws: NoUsableMode.self) {
      try ModePolicy.native.choose(from: modes("0x768@60"), isEDIDPresent: true)
    }
    #expect(error?.rejected.map(\.reason) == ["has no pixels or no rate"])
  }

  @Test func `interlaced modes are used only without progressive ones`() throws {
    let list = modes("1280x720i@50", "*1920x1080i@60", "0x768@60")
    let choice = try ModePolicy.legible.choose(from: list, isEDIDPresent: true)
    #expect("\(choice.mode)" == "1920x1080i@60")
    #expect(choice.reasons.first == "the monitor lists only interlaced modes: the image may flicker")
    #expect(choice.ladder.map { "\($0.mode)" } == ["1280x720i@50"])
    let mixed = modes("*1920x1080i@60", "640x480@60")
    #expect(
      try ModePolicy.legible.choose(from: mixed, isEDIDPresent: true).candidates.map { "\($0.mode)" } == ["640x480@60"])
  }

  @Test func `the ladder lowers the rate, then the size at the same aspect ratio, then any size`() throws {
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

  @Test func `the chosen mode is an element of the list, with its timing`() throws {
    let timing = Timing(
      clock: 148_500, horizontal: [1920, 2008, 2052, 2200, 0], vertical: [1080, 1084, 1089, 1125, 0], vrefresh: 60,
      flags: 5, type: 0x48, name: "1920x1080")
    var list = modes("*3840x2160@60", "1920x1080@60")
    list[1].timing = timing
    #expect(try ModePolicy.legible.choose(from: list, isEDIDPresent: true).mode.timing == timing)
  }

  @Test(arguments: ["legible", "native", "halve-above-1080p", "1920x1080", "1920x1080@59.94", "800x480@60"])
  func `the description of a policy is its configured text`(_ text: String) throws {
    #expect(try #require(ModePolicy(parsing: text)).description == text)
  }

  @Test(arguments: ["", "Legible", "1920", "1920x", "0x0", "1920x1080@", "1920x1080@-1", "1920x1080@nan", "1x1@9e99"])
  func `an invalid policy is nil`(_ text: String) { #expect(ModePolicy(parsing: text) == nil) }
}

/// Parses modes such as `*1920x1080i@60`, where `*` means preferred and `i` means interlaced.
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
