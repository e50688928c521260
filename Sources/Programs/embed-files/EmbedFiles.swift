import Glibc

/// A tool that writes a page's files into a Swift file, for the plugin of the same name: `embed-files OUTPUT FILE ...`.
///
/// Modules and style sheets are joined (`PageBundle`), and each file is stored both as text and compressed.
@main
enum EmbedFiles {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first else { return refuse("usage: embed-files OUTPUT FILE ...") }
    var files: [String: String] = [:]
    for path in arguments.dropFirst() {
      guard let text = read(path) else { return refuse("\(path): cannot be read, or is not UTF-8") }
      files[path.split(separator: "/").last.map(String.init) ?? path] = text
    }
    var code = "/// The files of this target's folder, by name; compressed bytes are the characters U+0000 to U+00FF.\n"
    code += "enum EmbeddedFiles {\n"
    code += "  static let all: [(name: StaticString, text: StaticString, gzip: StaticString)] = [\n"
    do {
      for (name, text) in try PageBundle.joined(files).sorted(by: { $0.key < $1.key }) {
        guard !text.contains("\"\"\"###") else { return refuse("\(name): holds \"\"\"###, which would end its text") }
        guard let small = Gzip.compress(Array(text.utf8)) else { return refuse("\(name): zlib cannot compress it") }
        code += "    (\"\(name)\", ###\"\"\"\n\(text)\n\"\"\"###, \"\(literal(small))\"),\n"
      }
    } catch {
      return refuse(error.description)
    }
    if !write(code + "  ]\n}\n", to: output) { refuse("\(output): cannot be written") }
  }

  /// Returns the inside of a Swift string literal, with one character per byte.
  private static func literal(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x22, 0x5c, 0..<0x20, 0x7f..<0xa0, 0xad: text += "\\u{\(String(byte, radix: 16))}"
      default: text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return text
  }

  private static func refuse(_ reason: String) {
    let line = Array("error: embed-files: \(reason)\n".utf8)
    unsafe _ = Glibc.write(STDERR_FILENO, line, line.count)
    exit(1)
  }

  private static func read(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe _ = fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&block, 1, block.count, file)
      if count == 0 { break }
      bytes += block[..<count]
    }
    return unsafe ferror(file) == 0 ? String(validating: bytes, as: UTF8.self) : nil
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    let isWritten = unsafe fputs(text, file) >= 0
    return unsafe fclose(file) == 0 && isWritten
  }
}
