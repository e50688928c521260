import Glibc
import JSON

/// What is done about a guest that falls silent while it boots.
extension Lab {
  /// Runs `boot`, and once more if something did not come in time. One of some thousands of boots under emulation stops
  /// before its first script, and the same guest boots the next time. `tell` gets what was seen of the first, so that
  /// guests that hang often are not overlooked.
  static func twice<Guest: ~Copyable>(
    _ tell: (String) -> Void, _ boot: () throws(LabError) -> Guest
  ) throws(LabError) -> Guest {
    do throws(LabError) {
      return try boot()
    } catch {
      guard error.kind == .timeout else { throw error }
      tell("\(error)\nthe lab boots it once more")
      do throws(LabError) {
        return try boot()
      } catch {
        throw LabError(error.kind, "the second boot failed, too: \(error)")
      }
    }
  }

  /// Writes to standard error, as one write(2).
  public static func tellErrors(_ words: String) {
    _ = Descriptor(dup(2)).write(Array("lab: \(words)\n".utf8)[...])
  }

  /// Where each of the guest's processors stands: its instruction pointer, and whether it waits for an interrupt. nil when
  /// QEMU does not answer.
  var processors: String? {
    let command = ["command-line": JSONValue.string("info registers -a")]
    guard let text = try? qmp().execute("human-monitor-command", command, within: .seconds(5)).text else { return nil }
    return Lab.processors(inRegisters: text)
  }

  /// The same from the text of QEMU's `info registers -a`, e.g. "RIP=ffffffff81a0c8bb HLT=1, EIP=0000fff0 HLT=0" (EIP
  /// before a processor is in 64-bit mode).
  static func processors(inRegisters text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    let pointers = words.filter { $0.hasPrefix("RIP=") || $0.hasPrefix("EIP=") }
    let halts = words.filter { $0.hasPrefix("HLT=") }
    return zip(pointers, halts).map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
