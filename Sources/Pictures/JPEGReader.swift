import CJPEG
import Geometry

/// Reads one JPEG file from memory, by libjpeg-turbo.
@safe
struct JPEGReader: ~Copyable {
  private let reader: UnsafeMutablePointer<placard_jpeg_reader>
  /// The size of what is stored.
  private let stored: Size
  /// How the picture is seen.
  private let orientation: Orientation

  /// Reads the header. The bytes are lent as long as the reader lives.
  init(lent bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
    var isRead: CInt = 0
    guard let reader = unsafe placard_jpeg_open(bytes.baseAddress, bytes.count, &isRead) else {
      throw .jpeg("no memory to read the file with")
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

  /// Pixels of the picture as it is seen.
  var size: Size { orientation.turn(stored) }

  /// Reads the picture, at half, a quarter or an eighth of its size where that is no less than what it is to fit: a
  /// photograph of 50 megapixels takes as much memory as the display that it is for. What would take too much memory still
  /// is read with as many eighths as do not.
  consuming func decoded(fitting: Size?, _ limit: TimeLimit) throws(PictureError) -> DecodedPicture {
    let kept = unsafe placard_jpeg_coefficient_bytes(reader)
    guard kept <= DecodedPicture.mostBytes * 3 / 4 else {
      throw .size(
        "\(size) in several scans (progressive): that takes more than 96 MiB; save it smaller, or not progressive")
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
    return DecodedPicture(
      bitmap: bitmap, size: size,
      warning: isDamaged ? "a part of the file is missing or damaged (libjpeg: \(unsafe words(of: reader)))" : nil)
  }

  private func failure(_ limit: TimeLimit) -> PictureError {
    unsafe reader.pointee.is_late != 0 ? limit.error : .jpeg(words(of: reader))
  }

  private func eighths(fitting: Size?, keeping bytes: Int) -> Int {
    let wanted = orientation.turn(fitting ?? size)
    func scaled(_ length: Int, _ eighths: Int) -> Int { (eighths * length + 7) / 8 }
    let enough = [1, 2, 4].first {
      scaled(stored.width, $0) >= wanted.width && scaled(stored.height, $0) >= wanted.height
    }
    let most = min(DecodedPicture.mostPixels, (DecodedPicture.mostBytes - bytes) / 4)
    let possible = (1...8).last { scaled(stored.width, $0) * scaled(stored.height, $0) <= most }
    return min(enough ?? 8, possible ?? 1)
  }

  /// Reads as many rows as there are; what is missing stays black.
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

/// Inks as light: each takes its share of what black lets through. Adobe's programs store them inverted.
private func bgra(cmyk: UInt32, isInverted: Bool) -> UInt32 {
  let inks = isInverted ? cmyk : ~cmyk
  let black = inks &>> 24
  func channel(_ shift: UInt32) -> UInt32 { ((inks &>> shift & 0xFF) &* black &+ 127) / 255 }
  return 0xFF00_0000 | channel(0) &<< 16 | channel(8) &<< 8 | channel(16)
}

/// What libjpeg said last.
private func words(of reader: UnsafeMutablePointer<placard_jpeg_reader>) -> String {
  unsafe withUnsafeBytes(of: reader.pointee.words) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
