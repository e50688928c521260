import Control
import Glibc
import Testing

/// Tests that the small program executes the full one.
@Suite struct FullProgramTests {
  @Test func `The full program is searched for in the program's directory, then in PATH`() async throws {
    try await withTemporaryDirectory { directory in
      let version = "\(PlacardVersion.current)\n"
      func run(_ program: String, path: String) async -> (output: String, status: Int32) {
        let script = "PATH=$0 exec -a \"$2\" \"$1\" --version 2>&1"
        return await runProgram("/bin/bash", ["-c", script, path, program, "odd/name -"])
      }
      let (link, copy) = ("\(directory)/placard", "\(directory)/new")
      #expect(unsafe symlink("\(builtPrograms)/placard", link) == 0)
      #expect(await runProgram("/bin/cp", ["\(builtPrograms)/placard", copy]).status == 0)
      #expect(await run(link, path: "/nowhere") == (version, 0))
      #expect(await run(copy, path: builtPrograms) == (version, 0))
      let missing = await run(copy, path: "/nowhere:")
      #expect(missing.status == 1)
      #expect(
        missing.output
          == "placard: placardd is neither in \(directory) nor in PATH. Install both programs in one directory.\n")
      #expect(unsafe symlink("/etc/passwd", "\(directory)/placardd") == 0)
      let broken = await run(copy, path: builtPrograms)
      #expect(broken.status == 1)
      #expect(broken.output == "placard: \(directory)/placardd cannot be started: Permission denied.\n")
    }
  }
}
