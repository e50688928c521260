import Calendars
import JSON
import Scenes

extension TableReader {
  /// The maximum size of a scene file, in bytes, the same as for `Scene(parsing:)`.
  private static let largestDocument = 8 << 20

  /// Returns the scene of the `scene` or `message` key, or nil if both are absent.
  func scene() throws(ConfigurationError) -> Scene? {
    let message = try message("message")
    guard let node = table.entries["scene"] else { return message.map(Scene.banner) }
    if message != nil { throw error("scene", "scene and message cannot both be set; leave one out") }
    switch node.value {
    case .table(let document):
      let scene = try scene(document)
      if let unknown = scene.unknownZone {
        let line = line(of: unknown.path, in: document)
        throw ConfigurationError(
          file: file, line: line, reason: "\(name("scene")): `\(unknown.path)`: \(unknown.error)")
      }
      return scene
    case .string(let path):
      let scene = try scene(inFile: path)
      if let unknown = scene.unknownZone {
        throw error("scene", "\(name("scene")): \(beside(path)): `\(unknown.path)`: \(unknown.error)")
      }
      return scene
    default:
      let wanted = "\(name("scene")) must be a table, { kind = \"clock\" }, or the path of a JSON file"
      throw error("scene", "\(wanted), but this is \(node.value.kind)")
    }
  }

  private func scene(_ table: TOMLTable) throws(ConfigurationError) -> Scene {
    let document = try json(table)
    do throws(DocumentError) {
      return try Scene(document: document)
    } catch {
      throw ConfigurationError(
        file: file, line: line(of: error.path, in: table), reason: "\(name("scene")): \(error)")
    }
  }

  /// Returns the line of a field such as `columns[2].title`, or of its closest existing container.
  private func line(of path: String, in table: TOMLTable) -> Int {
    var node = TOMLNode(value: .table(table), line: table.line)
    for step in path.split(whereSeparator: { ".[]".contains($0) }) {
      guard let inner = node[String(step)] else { break }
      node = inner
    }
    return node.line
  }

  private func scene(inFile name: String) throws(ConfigurationError) -> Scene {
    let path = beside(name)
    do throws(ConfigurationError) {
      guard let bytes = try readFile(path, atMost: Self.largestDocument) else {
        throw ConfigurationError(file: path, line: nil, reason: "the file does not exist")
      }
      do throws(DocumentError) {
        return try Scene(parsing: bytes)
      } catch {
        throw ConfigurationError(file: path, line: nil, reason: "\(error)")
      }
    } catch {
      throw self.error("scene", "\(self.name("scene")): \(error)")
    }
  }

  /// Resolves a path relative to the folder of the configuration file.
  private func beside(_ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
    return file[...slash] + name
  }

  private func json(_ table: TOMLTable) throws(ConfigurationError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for (key, node) in table.entries { members[key] = try json(node) }
    return .object(members)
  }

  private func json(_ node: TOMLNode) throws(ConfigurationError) -> JSONValue {
    switch node.value {
    case .string(let text): return .string(text)
    case .integer(let number): return .number("\(number)")
    case .float(let number) where number.isFinite: return .number("\(number)")
    case .float(let number):
      throw ConfigurationError(file: file, line: node.line, reason: "\(number) is not a valid number in a scene")
    case .bool(let bool): return .bool(bool)
    case .array(let nodes): return .array(try nodes.map { node throws(ConfigurationError) in try json(node) })
    case .tables(let tables): return .array(try tables.map { table throws(ConfigurationError) in try json(table) })
    case .table(let table): return try json(table)
    }
  }
}

extension Scene {
  /// The first time zone of the scene that the system does not know, with the path of its field; nil if all are known.
  fileprivate var unknownZone: (path: String, error: ZoneError)? {
    let own: String? =
      switch content {
      case .clock(let clock): clock.zone
      case .countdown(let countdown): countdown.zone
      case .schedule(let schedule): schedule.zone
      case .calendar(let calendar): calendar.zone
      default: nil
      }
    if let unknown = Self.unknown(own) { return unknown }
    for (path, scene) in children {
      if let unknown = scene.unknownZone { return ("\(path).\(unknown.path)", unknown.error) }
    }
    return nil
  }

  private static func unknown(_ zone: String?) -> (path: String, error: ZoneError)? {
    guard let zone else { return nil }
    do throws(ZoneError) {
      _ = try Zone(named: zone)
      return nil
    } catch { return ("zone", error) }
  }
}

extension TOMLNode {
  /// The member of a table, or the element of an array at a numeric index; nil if there is none.
  fileprivate subscript(step: String) -> TOMLNode? {
    switch value {
    case .table(let table): return table.entries[step]
    case .array(let nodes):
      guard let index = Int(step), nodes.indices.contains(index) else { return nil }
      return nodes[index]
    case .tables(let tables):
      guard let index = Int(step), tables.indices.contains(index) else { return nil }
      return TOMLNode(value: .table(tables[index]), line: tables[index].line)
    case .string, .integer, .float, .bool: return nil
    }
  }
}
