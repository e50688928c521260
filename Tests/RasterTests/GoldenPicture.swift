import Glibc
import Pictures
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test of golden images where the fonts or libraries are other versions, which draw other pixels.
  static var goldenImages: Self {
    let release = read("/etc/os-release").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return .enabled(
      if: release.contains("VERSION_ID=\"12\""), "the golden images were made with the fonts and libraries of Debian 12"
    )
  }
}

/// Compares an image with the golden image of a name, or rewrites that one if PLACARD_UPDATE_GOLDEN is set.
func compareGolden(_ picture: RGBImage, _ name: String) throws {
  let path = "\(#filePath)".dropLast("GoldenPicture.swift".count) + "Golden/\(name).png"
  let known = read(String(path)).flatMap { try? RGBImage(pngBytes: $0) }
  if unsafe getenv("PLACARD_UPDATE_GOLDEN") != nil, known != picture { try write(picture.png(), to: String(path)) }
  let expected = try #require(
    try known ?? read(String(path)).map(RGBImage.init(pngBytes:)), "no golden picture: \(path)")
  // FreeType's rasterizer rounds differently in each version. A larger difference is a changed image.
  try #require(expected.size == picture.size)
  let differing = picture.differences(from: expected, tolerance: 24)
  #expect(
    differing.isEmpty, "\(differing.count) pixels differ, the first at \(differing.first ?? (0, 0)); see \(path)")
}

private func read(_ path: String) -> [UInt8]? {
  guard let file = unsafe fopen(path, "r") else { return nil }
  defer { unsafe fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  return Array(bytes[..<(unsafe fread(&bytes, 1, bytes.count, file))])
}

func write(_ bytes: [UInt8], to path: String) throws {
  guard let file = unsafe fopen(path, "w") else {
    Issue.record("cannot write \(path)")
    return
  }
  defer { unsafe fclose(file) }
  #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
