import Lab
import Testing

/// What the service and the kernel hold. Dumb buffers of virtio-gpu are shared memory, so that a GEM handle that was not
/// destroyed shows there.
struct Possessions {
  let descriptors: Int
  let threads: Int
  /// On all cards, by their primary nodes: render nodes would tell of the same again.
  let framebuffers: Int
  let mappings: Int
  /// KiB of the service's own memory; pages of its program come in by and by and are not what could leak.
  let anonymous: Int
  /// KiB that the service has in memory, its program's included.
  let resident: Int
  /// KiB of shared memory of the whole machine.
  let shared: Int

  init(_ stage: Stage) throws {
    let pid = try stage.pid()
    func count(_ command: String) throws -> Int {
      try #require(Int(try stage.lab.shell(command).split(whereSeparator: \.isWhitespace).first ?? ""), "\(command)")
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
