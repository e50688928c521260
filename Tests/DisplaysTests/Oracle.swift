import Displays
import FoundationEssentials
import Testing

/// EDIDs of real monitors with the output of edid-decode. They are not part of this repository.
///
/// The directory is `PLACARD_EDID`, or `shared/edid` in a directory above this file.
struct Oracle {
  /// A line of `oracle.tsv`, keyed by the column names in its first line.
  struct Monitor: CustomTestStringConvertible {
    let fields: [String: String]
    let bytes: [UInt8]

    subscript(key: String) -> String { fields[key] ?? "" }
    var file: String { self["file"] }
    var testDescription: String { file }

    func edid() throws -> EDID { try EDID(bytes) }
  }

  static let folder: String? = {
    if let set = ProcessInfo.processInfo.environment["PLACARD_EDID"] { return set }
    var parts = #filePath.split(separator: "/").dropLast()
    while !parts.isEmpty {
      let candidate = "/" + parts.joined(separator: "/") + "/shared/edid"
      if FileManager.default.fileExists(atPath: candidate + "/oracle.tsv") { return candidate }
      parts = parts.dropLast()
    }
    return nil
  }()

  static let missing: Comment = "no shared/edid above the sources and no PLACARD_EDID: real monitors are not tested"

  static let monitors: [Monitor] = table("oracle.tsv").compactMap { fields in
    guard let file = fields["file"], let bytes = bytes("monitors/" + file) else { return nil }
    return Monitor(fields: fields, bytes: bytes)
  }

  static let damaged: [Monitor] = table("damaged-index.tsv").compactMap { fields in
    guard let file = fields["file"], let bytes = bytes("damaged/" + file) else { return nil }
    return Monitor(fields: fields, bytes: bytes)
  }

  static func monitor(_ file: String) throws -> Monitor { try #require(monitors.first { $0.file == file }) }

  private static func bytes(_ name: String) -> [UInt8]? {
    guard let folder, let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return nil }
    return Array(data)
  }

  private static func table(_ name: String) -> [[String: String]] {
    guard let bytes = bytes(name) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let keys = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(keys, $0)) { first, _ in first } }
  }
}
