import CQRencode
import Glibc

/// A QR code: a square of dark and bright modules, by libqrencode (https://fukuchi.org/works/qrencode/).
///
/// The text is stored as bytes of UTF-8, without saying so (ECI), which not all readers know; those of phones find it
/// out by themselves. The code is the smallest that holds them.
public struct QRCode: Hashable, Sendable {
  /// Modules in each direction, without the margin: 21, 25 and so on to 177.
  public let side: Int
  private let modules: [Bool]

  /// How many bright modules must be left free on each side (ISO/IEC 18004, 9.1); they are no part of the code.
  public static let margin = 4

  /// How much of a code may be unreadable.
  public enum Correction: CaseIterable, Hashable, Sendable {
    /// About 7, 15, 25 and 30 of a hundred.
    case low, medium, quartile, high

    /// How many bytes the largest code holds (ISO/IEC 18004, table 7, version 40).
    public var mostBytes: Int {
      switch self {
      case .low: 2953
      case .medium: 2331
      case .quartile: 1663
      case .high: 1273
      }
    }

    fileprivate var level: QRecLevel {
      switch self {
      case .low: QR_ECLEVEL_L
      case .medium: QR_ECLEVEL_M
      case .quartile: QR_ECLEVEL_Q
      case .high: QR_ECLEVEL_H
      }
    }
  }

  /// The code of a text; throws where it is empty or too long for any code.
  public init(_ text: String, correction: Correction = .medium) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= correction.mostBytes else { throw .long(bytes: bytes.count, fitting: correction.mostBytes) }
    // Version 0 is the smallest that holds them.
    guard let code = unsafe QRcode_encodeData(CInt(bytes.count), bytes, 0, correction.level) else {
      throw .refused(bytes: bytes.count, errno: errno)
    }
    defer { unsafe QRcode_free(code) }
    let side = unsafe Int(code.pointee.width)
    guard side > 0, side <= 177, let data = unsafe code.pointee.data else {
      throw .refused(bytes: bytes.count, errno: EINVAL)
    }
    self.side = side
    // qrencode.h: the lowest bit of each byte is the module, the others say what it is for.
    modules = unsafe UnsafeBufferPointer(start: data, count: side &* side).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark, from the top left corner; what is outside is bright, as the margin is.
  public subscript(x: Int, y: Int) -> Bool {
    guard x >= 0, y >= 0, x < side, y < side else { return false }
    return modules[y &* side &+ x]
  }
}
