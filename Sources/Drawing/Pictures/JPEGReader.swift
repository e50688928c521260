import CJPEG
import Geometry

/// A reader of one JPEG file in memory, using libjpeg-turbo.
@safe
struct JPEGReader: ~Copyable {
  private let reader: UnsafeMutablePointer<placard_jpeg_reader>
  /// The size in the file, before the EXIF orientation is applied.
  private let stored: Size
  /// The EXIF orientation.
  private let orientation: Orientation

  /// Reads the header; the bytes are borrowed and must outlive the reader.
  init(lent bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
    var isRead: CInt = 0
    guard let reader = unsafe placard_jpeg_open(bytes.baseAddress, bytes.count, &isRead) else {
      throw .jpeg("not enough memory to read the file")
    }
    guard isRead != 0 else {
      let words = unsafe words(of: reader)
      unsafe placard_jpeg_close(reader)
      throw .jpeg(words)
    }
    unsafe self.reader = reader
    stored = unsafe Size(Int(reader.pointee.info.image_width), Int(reader.pointee.info.image_height))
    var count = 0
    let exif = unsafe placard_jpeg_exif(reader, &count)
    orientation = unsafe Orientation(exifBlock: Array(UnsafeBufferPointer(start: exif, count: count)))
  }

  deinit { unsafe placard_jpeg_close(reader) }

  /// The size of the upright image, in pixels.
  var size: Size { orientation.turn(stored) }

  /// Decodes the image, scaled down by libjpeg to save memory.
  ///
  /// The scale is a half, a quarter, or an eighth if that still covers the wanted size. A photo of 50 megapixels then
  /// takes only as much memory as its display needs. If that exceeds the memory limit, any number of eighths is used.
  ///
  /// - Parameters:
  ///   - fitting: The wanted size; nil for the full size.
  ///   - limit: The time limit.
  /// - Throws: `ImageError` if decoding needs too much memory or time, or cannot start.
  /// - Returns: The image, with a warning if a part of the file is missing or damaged.
  consuming func decoded(fitting: Size?, _ limit: TimeLimit) throws(ImageError) -> DecodedImage {
    let kept = unsafe placard_jpeg_coefficient_bytes(reader)
    guard kept <= DecodedImage.mostBytes * 3 / 4 else {
      throw .size(
        "\(size) in several scans (progressive) needs more than 96 MiB; save it smaller, or not progressive")
    }
    unsafe reader.pointee.deadline = limit.nanoseconds
    guard unsafe placard_jpeg_start(reader, CUnsignedInt(eighths(fitting: fitting, keeping: kept))) != 0 else {
      throw failure(limit)
    }
    let reduced = unsafe Size(Int(reader.pointee.info.output_width), Int(reader.pointee.info.output_height))
    var pixels = [UInt32](repeating: 0xFF00_0000, count: reduced.area)
    let isWhole = readRows(of: reduced, to: &pixels)
    if unsafe reader.pointee.is_late != 0 { throw failure(limit) }
    let isDamaged = unsafe !isWhole || reader.pointee.errors.num_warnings > 0
    let bitmap = Bitmap(bounds: Rect(orientation.turn(reduced)), pixels: pixels, isOpaque: true)
    return DecodedImage(
      bitmap: bitmap, size: size,
      warning: isDamaged ? "part of the file is missing or damaged (libjpeg: \(unsafe words(of: reader)))" : nil)
  }

  private func failure(_ limit: TimeLimit) -> ImageError {
    unsafe reader.pointee.is_late != 0 ? limit.error : .jpeg(words(of: reader))
  }

  private func eighths(fitting: Size?, keeping bytes: Int) -> Int {
    let wanted = orientation.turn(fitting ?? size)
    func scaled(_ length: Int, _ eighths: Int) -> Int { (eighths * length + 7) / 8 }
    let enough = [1, 2, 4].first {
      scaled(stored.width, $0) >= wanted.width && scaled(stored.height, $0) >= wanted.height
    }
    let most = min(DecodedImage.mostPixels, (DecodedImage.mostBytes - bytes) / 4)
    let possible = (1...8).last { scaled(stored.width, $0) * scaled(stored.height, $0) <= most }
    return min(enough ?? 8, possible ?? 1)
  }

  /// Reads the rows that exist and returns whether all do; missing rows stay black.
  private func readRows(of size: Size, to pixels: inout [UInt32]) -> Bool {
    let isCMYK = unsafe reader.pointee.info.out_color_space == JCS_CMYK
    let isInverted = unsafe reader.pointee.info.saw_Adobe_marker != 0
    var row = [UInt32](repeating: 0, count: size.width)
    for y in 0..<size.height {
      let isRead = unsafe row.withUnsafeMutableBytes { bytes in
        unsafe placard_jpeg_read(reader, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
      guard isRead != 0 else { return false }
      var (place, step) = orientation.row(y, of: size)
      if isCMYK { for x in row.indices { row[x] = bgra(cmyk: row[x].littleEndian, isInverted: isInverted) } }
      for pixel in row {
        pixels[place] = isCMYK ? pixel : pixel.littleEndian
        place &+= step
      }
    }
    return true
  }
}

/// Converts CMYK inks to light, each channel scaled by black; Adobe programs store inverted values.
private func bgra(cmyk: UInt32, isInverted: Bool) -> UInt32 {
  let inks = isInverted ? cmyk : ~cmyk
  let black = inks &>> 24
  func channel(_ shift: UInt32) -> UInt32 { ((inks &>> shift & 0xFF) &* black &+ 127) / 255 }
  return 0xFF00_0000 | channel(0) &<< 16 | channel(8) &<< 8 | channel(16)
}

/// Returns libjpeg's last message.
private func words(of reader: UnsafeMutablePointer<placard_jpeg_reader>) -> String {
  unsafe withUnsafeBytes(of: reader.pointee.words) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
