import SystemCalls

/// The reason why a text cannot be encoded as a QR code.
package enum QRCodeError: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// The text has `bytes` bytes of UTF-8, but the largest code at this correction level holds `fitting`.
  case long(bytes: Int, fitting: Int)
  /// libqrencode failed with this `errno` on a text that should fit.
  case refused(bytes: Int, errno: CInt)
}

extension QRCodeError: CustomStringConvertible {
  /// The error as one or two readable sentences.
  package var description: String {
    switch self {
    case .empty: "a QR code needs a text, but this text is empty"
    case .long(let bytes, let fitting):
      "the text has \(bytes) bytes, but a QR code holds \(fitting); shorten it, for example to a link, "
        + "or choose a lower error correction"
    case .refused(let bytes, let code):
      "libqrencode failed to encode \(bytes) bytes: \(ErrorNumber(code))"
    }
  }
}
