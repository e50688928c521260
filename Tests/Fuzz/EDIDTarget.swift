/// Fuzzes the EDID parser with bytes from libFuzzer. Parsing an EDID, deriving the identity and choosing a mode must
/// not trap.
func fuzzEDID(_ bytes: [UInt8]) {
  let identity = MonitorIdentity(edid: bytes, connector: "HDMI-A-1")
  precondition(!identity.text.isEmpty && !identity.label.isEmpty)
  // The fuzzer rarely produces a correct checksum, so each input is also read with corrected checksums.
  read(bytes)
  read(withChecksums(bytes))
}

private func read(_ bytes: [UInt8]) {
  guard let edid = try? EDID(bytes) else { return }
  let modes = edid.modes
  for policy in [ModePolicy.legible, .native, .halveAbove1080p, .explicit(Size(1920, 1080), refresh: 60_000)] {
    guard let choice = try? policy.choose(from: modes, isEDIDPresent: true) else { continue }
    // An interlaced mode is chosen only if there is no other.
    precondition(modes.contains(choice.mode) && modes.usable.contains(choice.mode))
    precondition(!choice.mode.isInterlaced || modes.usable.allSatisfy(\.isInterlaced))
    precondition(choice.ladder.count <= modes.count && choice.rejected.count == modes.count - 1)
  }
  precondition(EDIDReport(bytes, policy: .legible).lines.count > 1)
}

/// Returns the bytes as whole blocks with an EDID header and correct checksums.
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = Array(bytes.prefix(bytes.count / 128 * 128))
  guard bytes.count >= 128 else { return bytes }
  bytes.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
  for end in stride(from: 127, to: bytes.count, by: 128) {
    bytes[end] = 0 &- bytes[(end - 127)..<end].reduce(0, &+)
  }
  return bytes
}
