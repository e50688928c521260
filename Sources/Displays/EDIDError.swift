/// Why bytes are no EDID that anything can be read from.
public enum EDIDError: Error, Hashable, Sendable {
  /// No bytes at all.
  case empty
  /// Nothing but this byte (00 or ff): the line was read, and nobody answered.
  case blank(UInt8)
  /// The length is no multiple of 128 bytes.
  case truncated(bytes: Int)
  /// The first eight bytes are not 00 ff ff ff ff ff ff 00.
  case header
}

extension EDIDError: CustomStringConvertible {
  /// What is wrong, in a sentence without its subject.
  public var description: String {
    switch self {
    case .empty: "the EDID is empty"
    case .blank(let byte): "the EDID holds nothing but \(byte == 0 ? "00" : "ff") bytes: nobody answered the read"
    case .truncated(let bytes): "the EDID has \(bytes) bytes, which is no whole number of 128-byte blocks"
    case .header: "no EDID: the first eight bytes are not 00 ff ff ff ff ff ff 00"
    }
  }
}
