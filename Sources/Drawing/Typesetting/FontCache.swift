import Glibc

/// Fontconfig's answers from the previous start, stored in a small file.
///
/// Reading fontconfig's configuration, about sixty files, takes longer than the rest of startup. Font files rarely
/// change, so the stored answer is used for the first frame and confirmed afterward.
struct FontCache {
  private let path: String
  private var entries: [(request: String, file: FontFile)] = []

  /// Reads the file at `path`; an absent or invalid file gives an empty memory.
  init(path: String) {
    self.path = path
    let lines = (FontCache.text(of: path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    guard lines[0] == FontCache.title else { return }
    entries = lines.dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, fields[1].first == "/", let index = Int(fields[2]), index >= 0 else { return nil }
      return (
        fields[0], FontFile(path: fields[1], index: index, families: Array(fields[4...]), variations: fields[3])
      )
    }
  }

  /// Returns the file that was chosen for a request at the previous start.
  func file(for request: String) -> FontFile? { entries.first { $0.request == request }?.file }

  /// Stores an answer and ignores write errors, which only make the next start slower.
  mutating func remember(_ file: FontFile, for request: String) {
    guard file != self.file(for: request), FontCache.canHold(file, request) else { return }
    entries.removeAll { $0.request == request }
    entries = [(request, file)] + entries.prefix(FontCache.most - 1)
    write()
  }

  private static let title = "placard fonts 2"
  private static let most = 16

  private static func canHold(_ file: FontFile, _ request: String) -> Bool {
    !file.families.isEmpty
      && !([request, file.path, file.variations] + file.families).contains {
        $0.contains { "\t\n\r\r\n\0".contains($0) }
      }
  }

  /// Replaces the file by renaming a draft; a file that a power loss left incomplete fails validation when read.
  private func write() {
    let lines = entries.map { request, file in
      ([request, file.path, String(file.index), file.variations] + file.families).joined(separator: "\t")
    }
    var text = ([FontCache.title] + lines).joined(separator: "\n")
    let draft = "\(path).\(getpid())"
    unsafe mkdir(directory, 0o755)
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { return }
    let isWhole = text.withUTF8 { bytes in
      unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
    close(descriptor)
    let isInPlace = unsafe isWhole && rename(draft, path) == 0
    if !isInPlace { unsafe unlink(draft) }
  }

  private var directory: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  private static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return String(validating: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
