/// The CRC-32 of PNG (annex D), Ethernet and the kernel's crc32_le(): polynomial 0x04C11DB7, least significant bit
/// first.
enum CRC32 {
  /// Continues a checksum with more bytes.
  ///
  /// The kernel starts with 0. PNG starts with all bits set and inverts the result.
  static func sum(_ data: some Sequence<UInt8>, from start: UInt32) -> UInt32 {
    data.reduce(start) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
  }
}
