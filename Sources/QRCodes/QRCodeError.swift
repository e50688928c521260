import Glibc

/// Why there is no QR code of a text.
public enum QRCodeError: Error, Hashable, Sendable {
  /// There is nothing to be read from it.
  case empty
  /// The text has so many bytes of UTF-8; the largest code with this correction holds `fitting`.
  case long(bytes: Int, fitting: Int)
  /// libqrencode's reason, for a text that should fit.
  case refused(bytes: Int, errno: CInt)
}

extension QRCodeError: CustomStringConvertible {
  /// One or two sentences for a person.
  public var description: String {
    switch self {
    case .empty: "a QR code needs a text, and this one is empty"
    case .long(let bytes, let fitting):
      "the text has \(bytes) bytes, a QR code holds \(fitting): shorten it, for example to a link, "
        + "or choose a lower error correction"
    case .refused(let bytes, let code):
      unsafe "libqrencode made no QR code of \(bytes) bytes: \(String(cString: strerror(code)))"
    }
  }
}
