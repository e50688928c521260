import CQRencode
import Glibc

/// A QR code, a square of dark and light modules, encoded by libqrencode (https://fukuchi.org/works/qrencode/).
///
/// The text is stored as UTF-8 bytes without an ECI header, which not all readers support. Readers on phones detect
/// UTF-8. The code is the smallest one that fits the text.
package struct QRCode: Hashable, Sendable {
  /// The number of modules in each direction without the margin: 21, 25 and so on, up to 177.
  package let side: Int
  private let modules: [Bool]

  /// The required quiet zone, in light modules on each side (ISO/IEC 18004, 9.1); it is not part of the code.
  package static let margin = 4

  /// The error correction level, which determines how much of a code may be unreadable.
  package enum Correction: CaseIterable, Hashable, Sendable {
    /// The levels, which recover about 7%, 15%, 25% and 30% of a code, respectively.
    case low, medium, quartile, high

    /// The capacity of the largest code in bytes (ISO/IEC 18004, table 7, version 40).
    package var mostBytes: Int {
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

  /// Encodes a text.
  ///
  /// - Parameters:
  ///   - text: The text, not empty, at most `correction.mostBytes` bytes of UTF-8.
  ///   - correction: The error correction level.
  /// - Throws: `QRCodeError`.
  package init(_ text: String, correction: Correction = .medium) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= correction.mostBytes else { throw .long(bytes: bytes.count, fitting: correction.mostBytes) }
    // Version 0 selects the smallest version that fits.
    guard let code = unsafe QRcode_encodeData(CInt(bytes.count), bytes, 0, correction.level) else {
      throw .refused(bytes: bytes.count, errno: errno)
    }
    defer { unsafe QRcode_free(code) }
    let side = unsafe Int(code.pointee.width)
    guard side > 0, side <= 177, let data = unsafe code.pointee.data else {
      throw .refused(bytes: bytes.count, errno: EINVAL)
    }
    self.side = side
    // qrencode.h: bit 0 of each byte is the module's color; the other bits describe its purpose.
    modules = unsafe UnsafeBufferPointer(start: data, count: side &* side).map { $0 & 1 == 1 }
  }

  /// Whether the module in a column and row is dark, counted from the top left corner; modules outside of the code are
  /// light.
  package subscript(x: Int, y: Int) -> Bool {
    guard x >= 0, y >= 0, x < side, y < side else { return false }
    return modules[y &* side &+ x]
  }
}
