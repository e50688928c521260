import Glibc

/// As whom a process runs, or would.
public struct Account: Hashable, Sendable {
  /// The user's name; its number where it has none.
  public var name: String
  /// The user and its own group, by number.
  public var user, group: UInt32
  /// The other groups.
  public var groups: Set<UInt32>

  /// An account from its parts.
  public init(name: String, user: UInt32, group: UInt32, groups: Set<UInt32> = []) {
    (self.name, self.user, self.group, self.groups) = (name, user, group, groups)
  }

  /// Whether it is in a group.
  public func isIn(_ group: UInt32) -> Bool { group == self.group || groups.contains(group) }
}

/// The users and groups that /etc/passwd and /etc/group know; those of a directory service are not looked up, since that
/// may take long where the network is what is broken.
public struct AccountBook: Hashable, Sendable {
  private var users: [String: Account] = [:]
  private var names: [UInt32: String] = [:]
  private var groups: [String: UInt32] = [:]
  private var groupNames: [UInt32: String] = [:]
  private var members: [UInt32: Set<String>] = [:]

  /// What two such files say; lines that make no sense are passed over.
  public init(passwd: String, group: String) {
    for fields in Self.lines(group) where fields.count >= 4 {
      guard let number = UInt32(fields[2]), groups[fields[0]] == nil else { continue }
      groups[fields[0]] = number
      groupNames[number] = groupNames[number] ?? fields[0]
      members[number, default: []].formUnion(fields[3].split(separator: ",").map(String.init))
    }
    for fields in Self.lines(passwd) where fields.count >= 4 {
      guard let user = UInt32(fields[2]), let group = UInt32(fields[3]), users[fields[0]] == nil else { continue }
      let others = members.filter { $0.value.contains(fields[0]) }.keys
      users[fields[0]] = Account(name: fields[0], user: user, group: group, groups: Set(others))
      names[user] = names[user] ?? fields[0]
    }
  }

  private static func lines(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
  }

  /// A user by name, as it would be after a new login.
  public func account(_ name: String) -> Account? { users[name] }

  /// The name of a user's number; the number where there is none.
  public func userName(_ number: UInt32) -> String { names[number] ?? "\(number)" }

  /// The number of a group; nil where there is none of that name.
  public func group(_ name: String) -> UInt32? { groups[name] }

  /// The name of a group's number; the number where there is none.
  public func groupName(_ number: UInt32) -> String { groupNames[number] ?? "\(number)" }
}

extension SystemFiles {
  /// The accounts that the machine's own files know.
  public func accounts() -> AccountBook {
    AccountBook(
      passwd: String(decoding: bytes("/etc/passwd", atMost: 1 << 20) ?? [], as: UTF8.self),
      group: String(decoding: bytes("/etc/group", atMost: 1 << 20) ?? [], as: UTF8.self))
  }
}
