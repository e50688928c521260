import Glibc

/// The entry point that libFuzzer calls with its input. Decoding and scaling an image must not trap, and the image must
/// have the size in its header, whatever size it is decoded for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start else { return 0 }
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  // The fuzzer rarely produces a correct checksum, so each input is also read with corrected checksums.
  read(bytes)
  if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { read(withChecksums(bytes)) }
  return 0
}

private func read(_ bytes: [UInt8]) {
  guard let size = try? DecodedImage.size(of: bytes) else {
    precondition((try? DecodedImage.decode(bytes)) == nil, "a picture of no size")
    return
  }
  precondition(size.width > 0 && size.height > 0 && size.area <= 64_000_000)
  // A header can claim any size. A larger size only takes longer.
  guard size.area <= 1 << 16 else { return }
  for wanted in [nil, Size(40, 30), Size(3, 5)] {
    guard let picture = try? DecodedImage.decode(bytes, fitting: wanted) else { continue }
    let (bitmap, kept) = (picture.bitmap, picture.bitmap.bounds.size)
    precondition(picture.size == size && (wanted != nil || kept == size))
    let least = wanted.map { Size(min($0.width, size.width), min($0.height, size.height)) } ?? size
    precondition(kept.width >= least.width && kept.height >= least.height, "fewer pixels than what it is for has")
    precondition(!bitmap.isOpaque || bitmap.pixels.allSatisfy { $0 >= 0xFF00_0000 })
    let part = bitmap.scaled(to: Size(20, 12), window: Rect(x: 3, y: 2, width: 9, height: 30))
    precondition(part.bounds == Rect(x: 3, y: 2, width: 9, height: 10))
  }
}

/// Returns the bytes as a PNG file whose chunks have correct checksums, as far as there are chunks.
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var place = 8
  while place + 12 <= bytes.count {
    let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - place - 12 else { break }
    let end = place + 8 + length
    let sum = ~bytes[(place + 4)..<end].reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    bytes.replaceSubrange(end..<end + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })
    place = end + 4
  }
  return bytes
}

/// The entry point that libFuzzer calls before it reads its corpus. It writes seeds, files of all kinds from the tests'
/// writers, to the folder that PLACARD_SEEDS names.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  guard let folder = unsafe getenv("PLACARD_SEEDS").map({ unsafe String(cString: $0) }) else { return 0 }
  for kind in PNGFile.Kind.allCases {
    for isInterlaced in [false, true] {
      let file = PNGFile(size: Size(9, 7), kind: kind, isInterlaced: isInterlaced)
      write(file.bytes(), "\(folder)/\(kind)\(isInterlaced ? "-interlaced" : "").png")
    }
  }
  let size = Size(19, 13)
  write(JPEGFile(size: size, orientation: 6).bytes(), "\(folder)/turned.jpeg")
  write(JPEGFile(size: size, isLittleEndian: false, orientation: 3).bytes(), "\(folder)/half.jpeg")
  write(JPEGFile(size: size, isProgressive: true).bytes(), "\(folder)/progressive.jpeg")
  write(JPEGFile(size: size, isGrey: true).bytes(), "\(folder)/gray.jpeg")
  write(JPEGFile(size: size, isProgressive: true, isCMYK: true).bytes(), "\(folder)/inks.jpeg")
  return 0
}

private func write(_ bytes: [UInt8], _ path: String) {
  guard let file = unsafe fopen(path, "w") else {
    unsafe perror(path)
    exit(1)
  }
  unsafe fwrite(bytes, 1, bytes.count, file)
  unsafe fclose(file)
}
