import FoundationEssentials
import Glibc

/// EDIDs of real monitors, which are not part of this repository: `shared/edid` next to it, or PLACARD_EDID.
enum MonitorData {
  /// The folder; nil if it does not exist.
  static let folder: String? = {
    if let path = unsafe getenv("PLACARD_EDID") { return unsafe String(cString: path) }
    var parts = #filePath.split(separator: "/")
    while !parts.isEmpty {
      parts.removeLast()
      let folder = "/" + parts.joined(separator: "/") + "/shared/edid"
      if FileManager.default.fileExists(atPath: folder + "/oracle.tsv") { return folder }
    }
    return nil
  }()

  /// Returns the first monitor of the oracle's table that a predicate accepts: its row by column name, and its bytes.
  static func first(where likes: ([String: String]) -> Bool) throws -> [UInt8]? {
    guard let folder else { return nil }
    let table = try String(contentsOfFile: folder + "/oracle.tsv", encoding: .utf8).split(separator: "\n")
    guard let header = table.first?.split(separator: "\t", omittingEmptySubsequences: false) else { return nil }
    for line in table.dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      let row = Dictionary(zip(header, cells).map { (String($0), String($1)) }) { first, _ in first }
      if likes(row), let file = row["file"] {
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/monitors/" + file)))
      }
    }
    return nil
  }
}
