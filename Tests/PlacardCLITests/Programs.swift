import Glibc
import NIOPosix

@testable import CommandLineTool

/// The directory of the programs that were built with these tests.
let builtPrograms: String = {
  var path = [CChar](repeating: 0, count: 4096)
  let length = unsafe readlink("/proc/self/exe", &path, path.count)
  let program = String(decoding: path.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex))
}()

/// Runs a program on a thread that may block, and returns its standard output and exit status.
func runProgram(_ program: String, _ arguments: [String]) async -> (output: String, status: Int32) {
  let result = try? await NIOThreadPool.singleton.runIfActive { try Companion.run(program, arguments).get() }
  return (String(decoding: result?.output ?? [], as: UTF8.self), result?.status ?? -1)
}

func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
