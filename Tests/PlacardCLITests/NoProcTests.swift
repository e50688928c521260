import Glibc
import Testing

@testable import CommandLineTool

/// Tests the programs without a mounted /proc, such as in a chroot or during an image build.
struct NoProcTests {
  /// Runs a program for at most a minute with an empty /proc, and returns its output, its errors and its status.
  private static func run(_ arguments: [String]) async -> (output: String, status: Int32) {
    let namespace = geteuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
    let script = #"mount -t tmpfs none /proc && exec timeout -s KILL 60 "$@" 2>&1"#
    return await runProgram("/usr/bin/env", ["unshare"] + namespace + ["sh", "-c", script, "sh"] + arguments)
  }

  private static func obstacle() async -> String? {
    let (output, status) = await run(["ls", "/proc"])
    return status == 0 && output.isEmpty ? nil : "skipped: creating a namespace without /proc failed: \(output)"
  }

  @Test(arguments: [
    ("placardd", ["--help"], 0, "Usage: placardd"), ("placardd", ["--nonsense"], 2, "unknown option '--nonsense'"),
    ("placard", ["--help"], 0, "USAGE: placard"), ("placard", ["nonsense"], 2, "nonsense"),
    ("placard", ["--socket", "/tmp/there/is/none", "status"], 3, "No service listens on /tmp/there/is/none"),
    ("placard-lab", ["--help"], 0, "USAGE: placard-lab"), ("placard-lab", ["list", "--nonsense"], 64, "--nonsense"),
  ])
  func `Programs read their arguments without /proc`(
    program: String, arguments: [String], status: Int32, words: String
  ) async throws {
    if let obstacle = await Self.obstacle() { return print(obstacle) }
    let result = await Self.run(["\(builtPrograms)/\(program)"] + arguments)
    #expect(result.status == status && result.output.lowercased().contains(words.lowercased()), "\(result)")
  }

  /// libdispatch's pool counts its threads in /proc/self/task, and ends the program if that fails.
  @Test func `No command crashes without /proc, however often it runs`() async throws {
    if let obstacle = await Self.obstacle() { return print(obstacle) }
    let loop = #"for run in $(seq 20); do "$@" >&2; status=$?; [ $status = 3 ] || exit $status; done 2>/dev/null"#
    let command = ["\(builtPrograms)/placard", "--socket", "/tmp/there/is/none", "status"]
    let result = await Self.run(["sh", "-c", loop, "sh"] + command)
    #expect(result.status == 0, "\(result)")
  }

  @Test func `scripts/install works without /proc`() async throws {
    if let obstacle = await Self.obstacle() { return print(obstacle) }
    let repository = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    try await withTemporaryDirectory { directory in
      let result = await Self.run([
        "env", "DESTDIR=\(directory)/new", "PREFIX=/usr", "\(repository)/scripts/install", "--programs", builtPrograms,
        "--lab",
      ])
      #expect(result.status == 0, "\(result)")
      #expect(exists("\(directory)/new/usr/share/man/man8/placardd.8"), "\(result)")
      _ = await runProgram("/bin/rm", ["-r", "\(directory)/new"])
    }
  }
}
