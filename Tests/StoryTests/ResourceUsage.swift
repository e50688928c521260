import Lab
import Testing

/// The resource usage of the daemon and the kernel.
///
/// Dumb buffers of virtio-gpu are shared memory, so leaked GEM handles are visible there.
struct ResourceUsage {
  let descriptors: Int
  let threads: Int
  /// The framebuffers of all cards, counted at their primary nodes: render nodes report the same again.
  let framebuffers: Int
  let mappings: Int
  /// The daemon's anonymous memory in KiB. Pages of its program are loaded over time and are not leaks.
  let anonymous: Int
  /// The daemon's resident memory in KiB, including its program.
  let resident: Int
  /// The machine's shared memory in KiB.
  let shared: Int

  init(_ guest: GuestFixture) throws {
    let pid = try guest.pid()
    func count(_ command: String) throws -> Int {
      try #require(Int(try guest.lab.shell(command).split(whereSeparator: \.isWhitespace).first ?? ""), "\(command)")
    }
    descriptors = try count("ls /proc/\(pid)/fd | wc -l")
    threads = try count("ls /proc/\(pid)/task | wc -l")
    framebuffers = try count("cat /sys/kernel/debug/dri/[0-9]/framebuffer | grep -c '^framebuffer\\[' || true")
    mappings = try count("grep -c /dev/dri/card /proc/\(pid)/maps || true")
    anonymous = try count("awk '/RssAnon/ {print $2}' /proc/\(pid)/status")
    resident = try count("awk '/VmRSS/ {print $2}' /proc/\(pid)/status")
    shared = try count("awk '/^Shmem:/ {print $2}' /proc/meminfo")
  }
}
