import ArgumentParser
import Control
import ControlClient

struct ScrollCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "scroll",
    abstract: "Scrolls a page that is longer than the display.",
    usage: "placard scroll [<options>] <session> <place>",
    discussion: """
      Examples:
        placard scroll HDMI-A-1 next
        placard scroll 3 40%
        placard scroll 3 "#first-steps"
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The session's ID, as placard sessions lists it, or its display.", completion: .sessions)
  var session: String

  @Argument(
    help: ArgumentHelp("next or back (a page), top, end, a fraction such as 0.4 or 40%, or a heading's #anchor."),
    completion: .list(["next", "back", "top", "end"]),
    transform: { text in
      guard let place = ScrollRequest(parsing: text) else {
        throw ValidationError("\(text) is not a position: use next, back, top, end, 0.4, 40% or a heading's #anchor.")
      }
      return place
    })
  var place: ScrollRequest

  func run(on console: any Console) async throws(Failure) {
    let id = try await SessionChoice(text: session).id(service)
    _ = try await service.ask { client throws(ClientError) in try await client.scroll(id, place) }
  }
}

extension ScrollRequest {
  /// Parses a position on the command line; nil for any other text.
  init?(parsing text: String) {
    switch text {
    case "next": self = .page(1)
    case "back": self = .page(-1)
    case "top": self = .position(0)
    case "end": self = .position(1)
    case _ where text.hasPrefix("#") && text.count > 1: self = .heading(String(text.dropFirst()))
    default:
      let isPercent = text.hasSuffix("%")
      guard let number = Double(isPercent ? text.dropLast() : text[...]) else { return nil }
      let share = isPercent ? number / 100 : number
      guard (0...1).contains(share) else { return nil }
      self = .position(share)
    }
  }
}
