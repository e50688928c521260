import CLinux
import Glibc
import SeededRandom
import Testing

@testable import Service

/// Lines to a reader that does not read: the writer does not block, and dropped lines are counted.
@Suite struct LineWriterTests {
  /// The kinds of connection between standard error and a reader.
  enum Kind: CaseIterable {
    case pipe, polledPipe, socket
  }

  private final class Ends {
    let reader: Int32
    let writer: Int32

    init(_ kind: Kind) throws {
      var ends: [Int32] = [-1, -1]
      let isSocket = kind == .socket
      let stream = Int32(SOCK_STREAM.rawValue)
      let made = unsafe isSocket ? socketpair(AF_UNIX, stream, 0, &ends) : pipe(&ends)
      try #require(made == 0)
      (reader, writer) = (ends[0], ends[1])
      // 1031 is F_SETPIPE_SZ (fcntl(2)).
      if isSocket { Self.shrink(writer) } else { try #require(fcntl(writer, 1031, 8192) == 8192) }
      try #require(fcntl(reader, F_SETFL, O_NONBLOCK) == 0)
    }

    private static func shrink(_ socket: Int32) {
      var bytes: Int32 = 4096
      _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns all bytes that can be read now.
    func read() -> [UInt8] {
      var (all, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65536))
      while case let count = unsafe Glibc.read(reader, &part, part.count), count > 0 { all += part.prefix(count) }
      return all
    }

    deinit { for descriptor in [reader, writer] { close(descriptor) } }
  }

  private func report(_ count: Int) -> String { "dropped \(count)\n" }

  private func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true)
  }

  @Test(arguments: Kind.allCases)
  func `a megabyte that is never read blocks nothing, and the next lines report how many were dropped`(kind: Kind)
    throws
  {
    let ends = try Ends(kind)
    let writer = LineWriter(ends.writer, reopens: kind != .polledPipe)
    let line = String(repeating: "x", count: 99) + "\n"
    for _ in 0..<10_000 { writer.write(line, report: report) }
    #expect(writer.dropped(report: report) > 5000)
    let first = lines(ends.read())
    writer.write("y\n", report: report)
    let all = first + lines(ends.read())
    #expect(all.last == "y" && all.allSatisfy { [99, 1].contains($0.count) || $0.hasPrefix("dropped ") })
    let counted = all.compactMap { $0.hasPrefix("dropped ") ? Int($0.dropFirst(8)) : nil }
    #expect(all.count { $0.hasPrefix("x") } + counted.reduce(0, +) == 10_000)
    #expect(writer.dropped(report: report) == 0)
  }

  @Test(arguments: Kind.allCases)
  func `the mode of the inherited descriptor is unchanged, because other processes share it`(kind: Kind) throws {
    let ends = try Ends(kind)
    let before = fcntl(ends.writer, F_GETFL)
    LineWriter(ends.writer, reopens: kind != .polledPipe).write("a\n", report: report)
    #expect(fcntl(ends.writer, F_GETFL) == before && before & O_NONBLOCK == 0)
    #expect(ends.read() == Array("a\n".utf8))
  }

  @Test(arguments: Kind.allCases)
  func `a line that is longer than the pipe is finished before the next one begins`(kind: Kind) throws {
    let ends = try Ends(kind)
    let writer = LineWriter(ends.writer, reopens: kind != .polledPipe)
    let long = String(repeating: "l", count: 300_000)
    writer.write(long + "\n", report: report)
    for _ in 1...3 { writer.write("lost\n", report: report) }
    var all = ends.read()
    while writer.dropped(report: report) > 0 { all += ends.read() }
    all += ends.read()
    writer.write("next\n", report: report)
    let written = lines(all + ends.read()).map(String.init)
    let isWhole = written == [long, "dropped 3", "next"]
    #expect(isWhole, "\(written.map { "\($0.prefix(20)) (\($0.count))" })")
  }

  @Test func `a regular file takes every line`() throws {
    let path = "/tmp/placard-lines-\(getpid())"
    let file = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0)
    defer {
      close(file)
      unsafe unlink(path)
    }
    let writer = LineWriter(file)
    for _ in 0..<1000 { writer.write(String(repeating: "z", count: 199) + "\n", report: report) }
    #expect(lseek(file, 0, SEEK_END) == 200_000 && writer.dropped(report: report) == 0)
  }

  @Test func `lines stay whole, and every line is written or counted, however much a reader reads`() {
    let seed = UInt64.random(in: 0 ... .max)
    var chance = SeededGenerator(seed: seed)
    var (pending, output) = (PendingLines(), [UInt8]())
    for number in 0..<2000 {
      let length = Int.random(in: 0...30, using: &chance)
      let line = Array("\(number) \(String(repeating: "-", count: length))\n".utf8)
      pending.add(line, report: { Array(self.report($0).utf8) }) { bytes in
        let count = Bool.random(using: &chance) ? bytes.count : Int.random(in: 0...bytes.count, using: &chance)
        output += bytes.prefix(count)
        return count
      }
    }
    pending.flush(report: { Array(self.report($0).utf8) }) {
      output += $0; return $0.count
    }
    pending.flush(report: { Array(self.report($0).utf8) }) {
      output += $0; return $0.count
    }
    var next = 0
    for line in lines(output) {
      if line.hasPrefix("dropped ") {
        next += Int(line.dropFirst(8)) ?? 0
      } else {
        #expect(line.hasPrefix("\(next) ") && line.dropFirst("\(next) ".count).allSatisfy { $0 == "-" }, "seed \(seed)")
        next += 1
      }
    }
    #expect(next == 2000 && pending.dropped == 0, "seed \(seed)")
  }
}
