import SystemFiles
import Testing

struct NodeHolderTests {
  @Test func `the clients table in debugfs marks the master`() {
    let table = """
                   command  tgid dev master a   uid      magic
                      Xorg   412   0   y    y     0          0
            systemd-logind   300   0   n    y     0          1
      """
    #expect(NodeHolder.master(inClients: table) == 412)
    #expect(NodeHolder.master(inClients: "command tgid dev master a uid magic\n bash 7 0 n y 0 0") == nil)
    #expect(NodeHolder.master(inClients: "") == nil)
  }

  @Test func `the unit is the innermost one in the cgroup path`() {
    #expect(NodeHolder.unit(inCgroup: "0::/system.slice/kmsconvt@tty1.service\n") == "kmsconvt@tty1.service")
    #expect(NodeHolder.unit(inCgroup: "0::/user.slice/user-0.slice/session-1.scope") == "session-1.scope")
    #expect(NodeHolder.unit(inCgroup: "0::/") == nil)
  }
}
