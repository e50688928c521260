/// The reason that an EDID cannot be parsed.
package enum EDIDError: Error, Hashable, Sendable {
  /// There are no bytes.
  case empty
  /// All bytes have this value (00 or ff): the bus was read, but no monitor responded.
  case blank(UInt8)
  /// The length is not a multiple of 128 bytes.
  case truncated(bytes: Int)
  /// The first eight bytes are not 00 ff ff ff ff ff ff 00.
  case header
}

extension EDIDError: CustomStringConvertible {
  /// The reason, as a clause for use in a longer message.
  package var description: String {
    switch self {
    case .empty: "the EDID is empty"
    case .blank(let byte): "the EDID contains only \(byte == 0 ? "00" : "ff") bytes: no monitor answered the read"
    case .truncated(let bytes): "the EDID has \(bytes) bytes, which is not a multiple of 128"
    case .header: "not an EDID: the first eight bytes are not 00 ff ff ff ff ff ff 00"
    }
  }
}
