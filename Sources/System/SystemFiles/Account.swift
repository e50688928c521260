import Glibc

/// The user and the groups of a process.
package struct Account: Hashable, Sendable {
  /// The user's name, or the user ID as text if there is none.
  package var name: String
  /// The user ID and the primary group ID.
  package var user, group: UInt32
  /// The supplementary group IDs.
  package var groups: Set<UInt32>

  /// Creates an account.
  package init(name: String, user: UInt32, group: UInt32, groups: Set<UInt32> = []) {
    (self.name, self.user, self.group, self.groups) = (name, user, group, groups)
  }

  /// Returns true if the account has the group as its primary or a supplementary group.
  package func isIn(_ group: UInt32) -> Bool { group == self.group || groups.contains(group) }
}

/// The users and groups of /etc/passwd and /etc/group.
///
/// Directory services are not queried, because a lookup can take long when the network is the problem.
package struct AccountBook: Hashable, Sendable {
  private var users: [String: Account] = [:]
  private var names: [UInt32: String] = [:]
  private var groups: [String: UInt32] = [:]
  private var groupNames: [UInt32: String] = [:]
  private var members: [UInt32: Set<String>] = [:]

  /// Parses the contents of the two files.
  ///
  /// Malformed lines are skipped.
  ///
  /// - Parameters:
  ///   - passwd: The contents of /etc/passwd.
  ///   - group: The contents of /etc/group.
  package init(passwd: String, group: String) {
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

  /// Returns the account of a user, with the groups it would have after a new login, or nil if the user is unknown.
  package func account(_ name: String) -> Account? { users[name] }

  /// Returns the name of a user ID, or the ID as text if it is unknown.
  package func userName(_ number: UInt32) -> String { names[number] ?? "\(number)" }

  /// Returns the ID of a group, or nil if the name is unknown.
  package func group(_ name: String) -> UInt32? { groups[name] }

  /// Returns the name of a group ID, or the ID as text if it is unknown.
  package func groupName(_ number: UInt32) -> String { groupNames[number] ?? "\(number)" }
}

extension SystemFiles {
  /// Reads the accounts of /etc/passwd and /etc/group.
  package func accounts() -> AccountBook {
    AccountBook(
      passwd: String(decoding: bytes("/etc/passwd", atMost: 1 << 20) ?? [], as: UTF8.self),
      group: String(decoding: bytes("/etc/group", atMost: 1 << 20) ?? [], as: UTF8.self))
  }
}
