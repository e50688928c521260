import JSON

/// Images in kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), which accepts PNG files unchanged.
enum KittyEncoder {
  /// Returns the sequence that shows a PNG file in a box of cells at the cursor, without moving it or causing an
  /// answer.
  static func show(png: [UInt8], id: Int, columns: Int, rows: Int) -> [UInt8] {
    let data = Array(Base64.encode(png).utf8)
    var bytes: [UInt8] = []
    var keys = "a=T,f=100,t=d,q=2,C=1,i=\(id),c=\(columns),r=\(rows),"
    for start in stride(from: 0, to: max(1, data.count), by: most) {
      let part = data[start..<min(start + most, data.count)]
      bytes += "\u{1b}_G\(keys)m=\(start + most < data.count ? 1 : 0);".utf8 + part + "\u{1b}\\".utf8
      keys = "q=2,"
    }
    return bytes
  }

  /// Returns the sequence that removes an image and frees its memory.
  static func remove(id: Int) -> [UInt8] { Array("\u{1b}_Ga=d,d=I,i=\(id),q=2\u{1b}\\".utf8) }

  /// The query for support of the protocol, which a terminal with support answers with OK for image 31.
  static let question = Array("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\".utf8)

  /// The maximum number of base64 characters in one chunk.
  private static let most = 4096
}
