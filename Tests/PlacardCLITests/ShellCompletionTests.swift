import Testing

@testable import CommandLineTool

/// Tests that real shells complete the words of a hostile service without running them.
struct ShellCompletionTests {
  /// The commands with completions from the service: displays, sessions, messages, cards, images and modes.
  private static let places = [
    "why", "show --display", "close", "board open", "board open x", "images get", "mode x", "edit", "history -d",
  ]

  private static func hostile(_ file: String) -> [String] {
    [
      "$(touch \(file))", "`touch \(file)`", ";touch \(file);", "a\ntouch \(file)\n", "a;touch \(file)",
      "<(touch \(file))", "=(touch \(file))", "(touch \(file))", "${a[$(touch \(file))]}", "'$(touch \(file))'",
      "\"$(touch \(file))\"", "$'\\n'touch \(file)", "a:$(touch \(file))", "{a,$(touch \(file))}", "x",
    ]
  }

  private static func script(_ shell: String, _ socket: String) -> String {
    let lines = places.map { "placard --socket \(socket) \($0) " }
    switch shell {
    case "bash":
      let each = lines.map { line in "complete_line \(line)" }
      return """
        source <(placard --generate-completion-script bash)
        complete_line() {
          COMP_WORDS=("$@" ""); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
          _placard placard "" "${COMP_WORDS[COMP_CWORD-1]}"
          printf '%s\\n' "${COMPREPLY[@]}"
        }
        \(each.joined(separator: "\n"))
        """
    case "zsh":
      return onTerminal(
        "zsh -f -i", lines, "PS1='==> '; autoload -U compinit; compinit -D -u; bindkey -e",
        "source <(placard --generate-completion-script zsh)")
    default:
      return onTerminal(
        "fish --no-config -i", lines, #"function fish_prompt; echo -n "=="; echo -n "> "; end"#,
        "placard --generate-completion-script fish | source")
    }
  }

  /// Returns a zsh script that presses Tab in an interactive shell with a terminal.
  ///
  /// Unlike bash, zsh and fish complete only on a terminal. A new prompt shows that the previous input was processed.
  private static func onTerminal(_ shell: String, _ lines: [String], _ begin: String...) -> String {
    let each = lines.map { line in
      """
      zpty -w -n shell $'\(line)\\t\\t'
      zpty -w -n shell $'\\C-e\\C-u'
      zpty -w shell 'echo done-""1'
      zpty -r shell output '*done-1*==> *'
      print -r -- $output
      """
    }
    return """
      zmodload zsh/zpty
      zpty shell 'TERM=dumb \(shell)'
      \(begin.map { "zpty -w shell '\($0.replacing("'", with: "'\\''"))'" }.joined(separator: "\n"))
      zpty -w shell 'echo read-""y'
      zpty -r shell output '*read-y*==> *'
      \(each.joined(separator: "\n"))
      zpty -d shell
      """
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Completion does not execute names of displays, sessions, cards, images or modes`(
    shell: String
  ) async throws {
    let missing = await runProgram("/usr/bin/env", ["sh", "-c", "command -v \(shell) && command -v zsh"]).status != 0
    guard !missing else { return print("\(shell) or zsh is not installed (see scripts/setup.sh): skipped") }
    try await withTemporaryDirectory { directory in
      let stub = try await HostileStub(Self.hostile("\(directory)/new"))
      try await stub.serve(at: "\(directory)/s") {
        let (output, _) = await runProgram(
          "/usr/bin/env",
          [
            "-C", directory, "HOME=\(directory)", "PATH=\(builtPrograms):/usr/bin:/bin", "PLACARD_TIMEOUT=600",
            "timeout", "-s", "KILL", "600",
          ]
            + (shell == "bash" ? ["bash", "--norc", "--noprofile"] : ["zsh", "-f"])
            + ["-c", Self.script(shell, "\(directory)/s")])
        #expect(!exists("\(directory)/new"), "\(shell) executed a text of the service: \(output)")
        #expect(!stub.paths.isEmpty, "\(output)")
        #expect(!output.contains("touch"), "\(output)")
      }
    }
  }

  @Test(arguments: [
    ("lift-2", true), ("1920x1080@60", true), ("9f86d081884c7d65.png", true), ("a_b:c", true),
    (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false), ("", false), ("-x", false),
    ("a b", false), ("$(id)", false), ("`id`", false), ("a\n", false), ("a\u{0}", false), ("é", false), ("a/b", false),
  ])
  func `Only words without a special meaning in a shell are offered`(word: String, isOffered: Bool) {
    #expect(Completions.isOffered(word) == isOffered)
  }
}
