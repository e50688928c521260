import CJPEG
import Geometry

/// A writer of JPEG files that uses libjpeg's encoder, at its best quality and without chroma subsampling.
@safe
struct JPEGFile {
  var size: Size
  var isProgressive = false
  var isGrey = false
  var isCMYK = false
  var isLittleEndian = true
  var orientation: UInt8?

  /// Returns red, green and blue of a stored pixel: a smooth gradient with a different color in each corner.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let across = UInt8(x * 255 / max(1, size.width - 1))
    let down = UInt8(y * 255 / max(1, size.height - 1))
    return isGrey ? [across, across, across] : [across, down, 255 - across]
  }

  /// Returns the bytes of the file.
  func bytes() -> [UInt8] {
    var (info, errors) = unsafe (jpeg_compress_struct(), jpeg_error_mgr())
    var memory: UnsafeMutablePointer<UInt8>?
    var count: CUnsignedLong = 0
    unsafe info.err = jpeg_std_error(&errors)
    unsafe jpeg_CreateCompress(&info, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
    defer {
      unsafe jpeg_destroy_compress(&info)
      unsafe free(memory)
    }
    unsafe jpeg_mem_dest(&info, &memory, &count)
    unsafe info.image_width = JDIMENSION(size.width)
    unsafe info.image_height = JDIMENSION(size.height)
    unsafe info.input_components = isCMYK ? 4 : isGrey ? 1 : 3
    unsafe info.in_color_space = isCMYK ? JCS_CMYK : isGrey ? JCS_GRAYSCALE : JCS_RGB
    unsafe jpeg_set_defaults(&info)
    unsafe jpeg_set_quality(&info, 100, 1)
    if !isGrey {
      unsafe info.comp_info[0].h_samp_factor = 1
      unsafe info.comp_info[0].v_samp_factor = 1
    }
    if isProgressive { unsafe jpeg_simple_progression(&info) }
    unsafe jpeg_start_compress(&info, 1)
    if let orientation {
      let block = exif(orientation)
      unsafe jpeg_write_marker(&info, JPEG_APP0 + 1, block, CUnsignedInt(block.count))
    }
    for y in 0..<size.height {
      var row = (0..<size.width).flatMap { sample($0, y) }
      unsafe row.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        unsafe jpeg_write_scanlines(&info, &start, 1)
      }
    }
    unsafe jpeg_finish_compress(&info)
    return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(count)))
  }

  /// Adobe stores inverted inks, so without black they are the light itself.
  private func sample(_ x: Int, _ y: Int) -> [UInt8] {
    let pixel = pixel(x, y)
    return isCMYK ? pixel + [255] : isGrey ? [pixel[0]] : pixel
  }

  private func exif(_ orientation: UInt8) -> [UInt8] {
    func number(_ value: UInt8, _ count: Int) -> [UInt8] {
      let zeros = [UInt8](repeating: 0, count: count - 1)
      return isLittleEndian ? [value] + zeros : zeros + [value]
    }
    let tag: [UInt8] = isLittleEndian ? [0x12, 0x01] : [0x01, 0x12]
    let mark: UInt8 = isLittleEndian ? 0x49 : 0x4D
    return Array("Exif\0\0".utf8) + [mark, mark] + number(42, 2) + number(8, 4) + number(1, 2) + tag + number(3, 2)
      + number(1, 4) + number(orientation, 2) + [0, 0] + number(0, 4)
  }
}
