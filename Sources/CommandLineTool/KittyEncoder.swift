import JSON

/// Pictures by kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), which takes PNG files as they are.
enum KittyEncoder {
  /// Shows a PNG file from the cursor's place on, over so many cells; the cursor stays where it is, and the terminal
  /// answers nothing.
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

  /// Takes a picture away, and its memory.
  static func remove(id: Int) -> [UInt8] { Array("\u{1b}_Ga=d,d=I,i=\(id),q=2\u{1b}\\".utf8) }

  /// Asks whether the terminal knows the protocol; one that does answers OK for picture 31.
  static let question = Array("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\".utf8)

  /// Most letters of base64 in one piece.
  private static let most = 4096
}
