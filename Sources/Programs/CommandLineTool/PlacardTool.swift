import ArgumentParser
import CLinux
import Control
import ControlClient
import NIOCore
import NIOPosix

/// The command line of `placard`, independent of the process around it.
package enum PlacardTool {
  /// Parses the arguments and runs the command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - console: The command's input and output.
  /// - Returns: The exit status: 0 success, 1 refused, 2 invalid usage, 3 no service.
  package static func run(_ arguments: [String], console: any Console) async -> Int32 {
    if let unknown = CommandSuggestion.message(for: arguments) {
      console.complain(unknown)
      return Failure.Status.usage.rawValue
    }
    do {
      var command = try await Placard.asyncParseAsRoot(arguments)
      if let command = command as? any ToolCommand {
        try await command.run(on: console)
      } else {
        try command.run()  // ArgumentParser's own help command, which throws its text.
      }
      return 0
    } catch let failure as Failure {
      if !failure.message.isEmpty { console.complain(failure) }
      return failure.status.rawValue
    } catch {
      return end(error, console)
    }
  }

  /// Runs the command on the event loop, and blocks this thread until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - console: The command's input and output.
  /// - Returns: The exit status of `run`.
  package static func runToEnd(_ arguments: [String], console: any Console) -> Int32 {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let status = try? loop.makeFutureWithTask { await run(arguments, console: console) }.wait()
    return status ?? Failure.Status.refused.rawValue
  }

  /// Sets the process's name to `placard`, for /proc, ps and pkill.
  ///
  /// execve(2) names the process after its file, `placardd`, but a client must not look like the service. This must be
  /// called on the main thread, whose name is the process's.
  package static func nameProcess() {
    _ = unsafe placard_name_thread("placard")
  }

  /// Runs all tasks on one event loop, which is enough for a program that makes one call.
  ///
  /// This must be called on the main thread, before the first task.
  package static func useOneThread() {
    NIOSingletons.groupLoopCountSuggestion = 1
    GlobalLoop.install()
  }

  /// Prints a message of the parser and returns the exit status; help and the version are not errors.
  private static func end(_ error: any Error, _ console: any Console) -> Int32 {
    let text = Placard.fullMessage(for: error)
    guard Placard.exitCode(for: error).isSuccess else {
      console.complain(text)
      return Failure.Status.usage.rawValue
    }
    do throws(Failure) {
      try console.print(text)
      return 0
    } catch {
      return error.status.rawValue
    }
  }
}

/// A command that runs on a console.
protocol ToolCommand: AsyncParsableCommand {
  /// Runs the command.
  func run(on console: any Console) async throws(Failure)
}

/// The root command.
struct Placard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placard",
    abstract: "Shows messages on the monitors of this machine.",
    usage: "placard [<options>] <subcommand>",
    discussion: """
      Examples:
        placard show --wait Welcome, Ada!
        placard displays --watch

      Environment:
        PLACARD_SOCKET      the service's socket
        PLACARD_URL         the service on another machine, http://HOST:PORT
        PLACARD_TOKEN_FILE  the file with the service's token
        PLACARD_TIMEOUT     the time limit for an answer, in seconds
        NO_COLOR            if not empty, prints no colors

      Exit status:
        0  done; health, doctor, replay and edid: nothing is wrong
        1  refused; health, doctor, replay and edid: something is wrong
        2  the command line is invalid; replay and edid: a file cannot be read
        3  the service does not answer
      """,
    version: PlacardVersion.current,
    subcommands: [
      ShowCommand.self, ClearCommand.self, MessagesCommand.self, AckCommand.self, WithdrawCommand.self,
      OpenCommand.self,
      SessionsCommand.self, EditCommand.self, ScrollCommand.self, MoveCommand.self, RefreshCommand.self,
      CloseCommand.self, UndoCommand.self, BoardCommand.self, LibraryCommand.self, SetCommand.self,
      UnsetCommand.self, ValuesCommand.self,
      ScheduleCommand.self, RenderCommand.self, BackupCommand.self, RestoreCommand.self, ImagesCommand.self,
      HistoryCommand.self,
      DisplaysCommand.self,
      WhyCommand.self, ModeCommand.self, IdentifyCommand.self, SleepCommand.self, WakeCommand.self,
      WatchCommand.self, ScreenshotCommand.self, TailCommand.self, StatusCommand.self, HealthCommand.self,
      DoctorCommand.self,
      SetupCommand.self, FleetCommand.self,
      VirtualCommand.self, PlugCommand.self, UnplugCommand.self, EDIDCommand.self, ReplayCommand.self,
      ManualCommand.self,
    ])

  @OptionGroup var service: ServiceOptions
}
