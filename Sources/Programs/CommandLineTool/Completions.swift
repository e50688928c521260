import ArgumentParser
import Control
import ControlClient
import NIOCore
import NIOPosix

/// Shell completions with names that the service knows.
extension CompletionKind {
  /// The names of displays.
  static var displays: CompletionKind {
    names { client throws(ClientError) in try await client.displays().map(\.name) }
  }

  /// The IDs of sessions, and the displays that they are on.
  static var sessions: CompletionKind {
    names { client throws(ClientError) in
      try await client.sessions().flatMap { [$0.id.map(String.init), $0.display].compactMap(\.self) }
    }
  }

  /// The IDs of live messages.
  static var messages: CompletionKind {
    names { client throws(ClientError) in try await client.messages().map { "\($0.id)" } }
  }

  /// Returns a completion that queries the service selected by the command line.
  static func names(
    _ ask: @escaping @Sendable (PlacardClient) async throws(ClientError) -> [String]
  ) -> CompletionKind {
    .custom { words, _, _ in
      guard let service = try? ServiceOptions.parse(Completions.serviceOptions(in: words)) else { return [] }
      return await Completions.within(milliseconds: Completions.patience) { (try? await service.askQuietly(ask)) ?? [] }
    }
  }
}

/// Queries to the service during shell completion.
enum Completions {
  /// The time limit for a completion in milliseconds: PLACARD_TIMEOUT, or 300, so that a shell does not wait.
  @TaskLocal static var patience: Int64 = given ?? 300

  private static var given: Int64? {
    let seconds = StandardConsole().environment("PLACARD_TIMEOUT").flatMap(Double.init)
    return seconds.flatMap { Int64(exactly: ($0 * 1000).rounded()) }
  }

  /// Returns the options that select the service, without the quotes and backslashes of the typed words.
  static func serviceOptions(in words: [String]) -> [String] {
    var options: [String] = []
    for (place, word) in words.enumerated() {
      guard let name = names.first(where: { word == $0 || word.hasPrefix($0 + "=") }) else { continue }
      if word != name {
        options.append(word.filter { !"\"'\\".contains($0) })
      } else if place + 1 < words.count {
        options += [word, words[place + 1].filter { !"\"'\\".contains($0) }]
      }
    }
    return options
  }

  private static let names = ["--socket", "--url", "--token-file"]

  /// Returns whether a word may be passed to the shell.
  static func isOffered(_ word: String) -> Bool {
    // Bash expands candidates like typed words (`compgen -W`), and a word with a leading dash would be an option.
    (1...64).contains(word.utf8.count) && !word.hasPrefix("-")
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._:@-".utf8.contains(byte)
        }
      }
  }

  /// Returns the words of `ask` that may be passed to the shell, or none after the time limit.
  static func within(milliseconds: Int64, _ ask: @escaping @Sendable () async -> [String]) async -> [String] {
    let (answers, answer) = AsyncStream.makeStream(of: [String].self)
    let asking = Task {
      answer.yield(await ask().filter(isOffered))
      answer.finish()
    }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let timer = loop.scheduleTask(in: .milliseconds(milliseconds)) { answer.finish() }
    for await names in answers {
      timer.cancel()
      return names
    }
    asking.cancel()
    return []
  }
}
