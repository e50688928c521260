import SystemFiles
import Testing

struct AccountTests {
  private let book = AccountBook(
    passwd:
      "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/sh\nplacard:x:990:990::/:/bin/false\nodd\n",
    group: "root:x:0:\nvideo:x:44:ada,placard\nada:x:1000:\nplacard:x:990:ada\nsame:x:44:eve\n:::\n")

  @Test func `A user has its primary group and the groups that list it`() throws {
    let ada = try #require(book.account("ada"))
    #expect(ada.isIn(1000) && ada.isIn(44) && ada.isIn(990) && !ada.isIn(0))
    #expect(book.account("eve") == nil)
    #expect(book.userName(990) == "placard" && book.userName(7) == "7")
    #expect(book.groupName(44) == "video" && book.groupName(8) == "8" && book.group("video") == 44)
  }

  @Test(
    arguments: [
      (0o660, 0, 44, true), (0o660, 0, 29, false), (0o600, 0, 44, false), (0o660, 1000, 29, true),
      (0o060, 1000, 44, false),
      (0o666, 0, 0, true), (0o640, 0, 44, false), (0o020666, 0, 0, true),
    ] as [(UInt32, UInt32, UInt32, Bool)])
  func `Permissions are checked for the first matching class only`(
    mode: UInt32, user: UInt32, group: UInt32, isWritable: Bool
  ) throws {
    let facts = FileFacts(mode: mode, user: user, group: group)
    #expect(facts.isWritable(by: try #require(book.account("ada"))) == isWritable)
    #expect(facts.isWritable(by: try #require(book.account("root"))))
  }

  @Test func `Permissions are written in octal with four digits`() {
    #expect(FileFacts(mode: 0o140660, user: 0, group: 0).octal == "0660")
    #expect(FileFacts(mode: 0o100004, user: 0, group: 0).octal == "0004")
    #expect(FileFacts(mode: 0o140660, user: 0, group: 0).isSocket)
  }
}
