import Testing

@testable import Lab

struct BootTests {
  @Test func `a boot that times out is retried once and reported, and a refused one is not`() throws {
    var (boots, reported): (Int, [String]) = (0, [])
    let guest = try Lab.twice({ reported.append($0) }) { () throws(LabError) in
      boots += 1
      if boots == 1 { throw LabError(.timeout, "the guest did not boot") }
      return "up"
    }
    #expect(guest == "up" && boots == 2)
    #expect(reported == ["the guest did not boot\nbooting it again"])
    for (kind, expected) in [(LabError.Kind.refused, 1), (.ended, 1), (.timeout, 2)] {
      boots = 0
      #expect { try fail(kind) } throws: { ($0 as? LabError)?.kind == kind }
      #expect(boots == expected, "\(kind)")
    }

    func fail(_ kind: LabError.Kind) throws {
      try Lab.twice({ _ in }) { () throws(LabError) in
        boots += 1
        throw LabError(kind, "no")
      }
    }
  }

  @Test func `the processor states are read from QEMU's registers`() {
    let text = """
      CPU#0\r
      RAX=0000000000000000 RBX=0000000000000000\r
      RIP=ffffffff81a0c8bb RFL=00000246 [---Z-P-] CPL=0 II=0 A20=1 SMM=0 HLT=1\r
      CPU#1\r
      EIP=0000fff0 EFL=00000002 [-------] CPL=0 II=0 A20=1 SMM=0 HLT=0\r
      """
    #expect(Lab.processors(inRegisters: text) == "RIP=ffffffff81a0c8bb HLT=1, EIP=0000fff0 HLT=0")
    #expect(Lab.processors(inRegisters: "").isEmpty)
  }
}
