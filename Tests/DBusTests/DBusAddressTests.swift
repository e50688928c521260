import DBus
import Testing

struct DBusAddressTests {
  private func paths(_ text: String) -> [String] {
    DBusAddress.list(text).map { String(decoding: $0.path, as: UTF8.self) }
  }

  @Test func `Unix sockets are found in a list, and other transports are skipped`() {
    #expect(paths("unix:path=/run/dbus/system_bus_socket") == ["/run/dbus/system_bus_socket"])
    #expect(paths("tcp:host=a,port=1;unix:guid=12,abstract=b;unix:path=/c,guid=3") == ["\0b", "/c"])
  }

  @Test func `bytes may be escaped`() {
    #expect(paths("unix:path=/a%20b%2Fc") == ["/a b/c"])
  }

  @Test(arguments: [
    "", ";", "unix", "unix:", "unix:path", "unix:path=/a%2", "unix:path=/a%zz", "unix:dir=/tmp", "path=/a",
  ])
  func `an invalid address is skipped`(text: String) { #expect(DBusAddress.list(text).isEmpty) }
}
