import CJPEG
import Geometry

extension RGBImage {
  /// Encodes the image as JPEG, for previews in which slightly soft edges of letters are acceptable.
  ///
  /// - Parameter quality: The libjpeg quality, 1...100.
  /// - Throws: `ImageError` if the image has no pixels or more than 65500 in a direction.
  /// - Returns: The content of a JPEG file.
  package func jpeg(quality: Int = 80) throws(ImageError) -> [UInt8] {
    guard size.area > 0, size.longSide <= 65500 else { throw .size("a JPEG of \(size) cannot be written") }
    var isWritten: CInt = 0
    let writer = unsafe placard_jpeg_write(
      pixels, CUnsignedInt(size.width), CUnsignedInt(size.height), CInt(clamping: quality), &isWritten)
    guard let writer = unsafe writer else { throw .jpeg("not enough memory to write the file") }
    defer { unsafe placard_jpeg_let_go(writer) }
    guard isWritten != 0 else { throw .jpeg(unsafe words(of: writer)) }
    return unsafe Array(UnsafeBufferPointer(start: writer.pointee.bytes, count: Int(writer.pointee.count)))
  }
}

private func words(of writer: UnsafeMutablePointer<placard_jpeg_writer>) -> String {
  unsafe withUnsafeBytes(of: &writer.pointee.words) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
