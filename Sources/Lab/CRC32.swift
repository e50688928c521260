/// The checksum of PNG's annex D, Ethernet and the kernel's crc32_le(): the polynomial 0x04C11DB7, lowest bit first.
enum CRC32 {
  /// Goes on from a sum with more bytes. The kernel begins with 0; PNG begins with all bits set, and inverts the end.
  static func sum(_ data: some Sequence<UInt8>, from start: UInt32) -> UInt32 {
    data.reduce(start) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
  }
}
