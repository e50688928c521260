import Glibc

/// Writes texts into a Swift file, for the plugin of the same name: `embed-files OUTPUT FILE ...`.
@main
enum EmbedFiles {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first else { return refuse("usage: embed-files OUTPUT FILE ...") }
    var code = "/// The files of this target's folder, by name.\nenum EmbeddedFiles {\n"
    code += "  static let all: [(name: StaticString, text: StaticString)] = [\n"
    for path in arguments.dropFirst() {
      guard let text = read(path) else { return refuse("\(path) cannot be read, or is no UTF-8 text") }
      guard !text.contains("\"\"\"###") else { return refuse("\(path) holds \"\"\"###, which would end its text") }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      code += "    (\"\(name)\", ###\"\"\"\n\(text)\n\"\"\"###),\n"
    }
    if !write(code + "  ]\n}\n", to: output) { refuse("\(output) cannot be written") }
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
