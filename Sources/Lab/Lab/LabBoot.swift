import Glibc
import JSON

/// Recovery from a guest that hangs during its boot.
extension Lab {
  /// The state of the guest's kernel for a report of a hang: its last messages, and the stacks of all blocked tasks.
  ///
  /// The kernel prints the stacks for the letter w (Documentation/admin-guide/sysrq.rst).
  public var kernelState: String {
    (try? shell("echo w > /proc/sysrq-trigger; dmesg | tail -n 120", within: .seconds(30)))
      ?? "the guest does not answer"
  }

  /// Opens each card of the guest once.
  ///
  /// Under emulation, a commit of the kernel's console sometimes hangs and holds the lock that every open call needs.
  /// Such a guest is of no use for any program.
  ///
  /// - Parameter deadline: The end of the boot.
  /// - Throws: `LabError` of kind `timeout` if an open call does not return.
  func openCards(until deadline: Deadline) throws(LabError) {
    let script = "for card in /dev/dri/card*; do if [ -e $card ]; then : <$card; fi; done"
    do throws(LabError) {
      try run(["/bin/sh", "-c", script], within: .milliseconds(Int64(deadline.milliseconds)))
    } catch {
      throw LabError(error.kind, "the guest did not boot: its card cannot be opened: \(error)\n\(kernelState)")
    }
  }

  /// Runs `boot`, and retries it once after a timeout.
  ///
  /// Under emulation, about one boot in several thousand hangs before its first script, or in the first commit of the
  /// kernel's console, and the retry succeeds.
  ///
  /// - Parameters:
  ///   - tell: The function that receives the description of the first failure, so that frequent hangs are not
  ///     overlooked.
  ///   - boot: The function that boots a guest.
  /// - Throws: `LabError` if the boot fails with another error, or if the retry fails.
  /// - Returns: The booted guest.
  static func twice<Guest: ~Copyable>(
    _ tell: (String) -> Void, _ boot: () throws(LabError) -> Guest
  ) throws(LabError) -> Guest {
    do throws(LabError) {
      return try boot()
    } catch {
      guard error.kind == .timeout else { throw error }
      tell("\(error)\nbooting it again")
      do throws(LabError) {
        return try boot()
      } catch {
        throw LabError(error.kind, "the second boot failed as well: \(error)")
      }
    }
  }

  /// Writes a message to standard error in a single write(2).
  public static func logToStandardError(_ words: String) {
    _ = Descriptor(dup(2)).write(Array("lab: \(words)\n".utf8)[...])
  }

  /// The instruction pointer and halt state of each guest processor, or nil if QEMU does not answer.
  var processors: String? {
    let command = ["command-line": JSONValue.string("info registers -a")]
    guard let text = try? qmp().execute("human-monitor-command", command, within: .seconds(5)).text else { return nil }
    return Lab.processors(inRegisters: text)
  }

  /// Extracts the processor states from the text of QEMU's `info registers -a`.
  ///
  /// - Parameter text: The text, which names the instruction pointer EIP before a processor is in 64-bit mode.
  /// - Returns: A text such as "RIP=ffffffff81a0c8bb HLT=1, EIP=0000fff0 HLT=0".
  static func processors(inRegisters text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    let pointers = words.filter { $0.hasPrefix("RIP=") || $0.hasPrefix("EIP=") }
    let halts = words.filter { $0.hasPrefix("HLT=") }
    return zip(pointers, halts).map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
