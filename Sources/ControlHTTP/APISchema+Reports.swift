import JSON

extension APISchema {
  private static let pixels = integer(0...Int.max)
  private static let sentences = list(of: text())

  /// The schemas of the reports that the daemon sends, by their names in the document.
  static let reports: [String: JSONValue] = [
    "Timestamp": object(
      "A moment, for programs and for people.",
      [
        .must("milliseconds", integer(), "Since the beginning of 1970, UTC."),
        .must("utc", text("2026-11-21T16:01:38.123Z"), "The same in words of ISO 8601."),
      ]),
    "Problem": object(
      "Why a request was not carried out (RFC 9457).",
      [
        .must("type", text("urn:placard:problem:not-found"), "The sort of problem."),
        .must("title", text("There is no such thing"), "The sort of problem in words."),
        .must("status", integer(400...599), "The HTTP status."),
        .must("detail", text(), "A sentence for a person: what is wrong, and the next step."),
      ]),
    "ServiceStatus": object(
      "The service as a whole.",
      [
        .must("version", text("0.5.0"), "The service's version."),
        .must("backend", word(["kms", "virtual"]), "Real cards, or virtual ones."),
        .must("pid", integer(), "The service's process."),
        .must("lit", pixels, "How many displays are lit."),
        .must("connected", pixels, "How many monitors are connected."),
        .must("problems", sentences, "What is wrong, a sentence each."),
        .may("storage", text(), "The file that sessions, messages and the history are kept in, or why there is none."),
        .may("address", text("http://192.0.2.7:8080/"), "What people type to get to the page."),
      ]),
    "HealthReport": object(
      "How the service is, for whoever watches over it.",
      [
        .must("state", word(["starting", "ok", "degraded"]), "How it is."),
        .must("live", flag, "Whether it answers."),
        .must("ready", flag, "Whether it has lit what there is to light, or said why not."),
        .must("reasons", sentences, "What is wrong, a sentence each with the next step."),
        .must("uptime", pixels, "For how many seconds it has run."),
        .must(
          "cut", ["type": "object", "additionalProperties": ["type": "integer"]],
          "What limits have cut, by their names."),
        .must(
          "losses", list(of: ref("LossReport")),
          "What was lost and not acknowledged, oldest first. Each text is among the reasons."),
      ]),
    "LossReport": object(
      "Something that was lost: a reason in the health until someone acknowledges it, or until it is repaired.",
      [
        .must("id", integer(1...Int.max), "The loss's number."),
        .must("text", text(), "A sentence with what was lost, the reason and the next step."),
        .must("since", moment, "When the service noticed it."),
      ]),
    "Liveness": object("That the service answers.", [.must("live", flag, "True.")]),
    "DisplayReport": display,
    "ModeTrial": object(
      "A mode that is tried, and will be taken back unless somebody confirms it.",
      [
        .may("mode", text("1280x720@60"), "What is tried; left out where the mode was left as it was."),
        .must("rotation", word(turns: [0, 90, 180, 270]), "Degrees clockwise in the meantime."),
        .must("until", moment, "When it is taken back."),
      ]),
    "WhyReport": object(
      "How the mode of a display was chosen.",
      [
        .must("display", text("HDMI-A-1"), "The connector's name."),
        .must("policy", text("legible"), "The policy that decided."),
        .may("mode", text("1920x1080@60"), "The mode that was chosen."),
        .must("scale", integer(), "How many pixels a logical unit has."),
        .must("reasons", sentences, "The steps that led to the choice, in order."),
        .must(
          "rejected",
          list(
            of: object(
              "A mode that was not taken.",
              [.must("mode", text("3840x2160@60"), "The mode."), .must("reason", text(), "What spoke against it.")])),
          "Each other mode."),
        .must("attempts", sentences, "What happened when it was tried on the hardware."),
      ]),
    "DoctorReport": object(
      "What the service's checks of the machine found.",
      [
        .must("healthy", flag, "Whether no finding is wrong."),
        .must("findings", list(of: finding), "The findings, in the order of the checks."),
      ]),
    "LogReport": object(
      "The newest lines of the service's log.",
      [.must("lines", sentences, "The lines, oldest first, each with its time in UTC and its level.")]),
    "PictureReport": object(
      "A picture that was uploaded, for scenes to show.",
      [
        .must("name", text("9f86d081884c7d65.png"), "What it is called."),
        .may("file", text("poster.png"), "The name of the file that was uploaded."),
        .must("path", text(), "Where it is on the service's machine, for a scene's field."),
        .must("type", word(["image/png", "image/jpeg"]), "How it is written."),
        .must("width", pixels, "Pixels across."), .must("height", pixels, "Pixels down."),
        .must("bytes", pixels, "The file's bytes."), .must("added", moment, "When it was uploaded."),
      ]),
    "VirtualReport": object(
      "The virtual monitors that are plugged in, and those that can be chosen from.",
      [
        .must("available", flag, "Whether this service has virtual monitors at all."),
        .must("plugged", list(of: text("Virtual-1")), "The displays that have one."),
        .must(
          "choices",
          list(
            of: object(
              "A monitor on the menu.",
              [
                .must("label", text("4K, 3840x2160"), "What people read."),
                .must("request", ref("PlugRequest"), "What plugs it."),
              ])), "The menu."),
      ]),
  ].merging(shown) { first, _ in first }

  private static let finding = object(
    "What one check found.",
    [
      .must("check", text("connectors"), "What was checked."),
      .must("mark", word(["ok", "note", "wrong", "unseen"]), "How bad it is; unseen if it could not be checked."),
      .must("code", text("master-held"), "The finding's name for programs."),
      .may("object", text("/dev/dri/card0"), "What it is about; left out for the machine."),
      .must("text", text(), "A sentence that names the object."), .may("fix", text(), "The next step, in words."),
      .may("command", text("sudo usermod -aG video ada"), "A command for the next step."),
    ])

  private static let display = object(
    "One display.",
    [
      .must("name", text("HDMI-A-1"), "The connector's name."),
      .must(
        "state", word(["lit", "lighting", "stalled", "dark", "asleep", "disconnected", "lost"]),
        "How it is: lit once a flip of the mode that is set has come, stalled when flips come no more, lost when its card "
          + "is gone."),
      .may("reason", text(), "Why it is not lit."),
      .may(
        "cause",
        word([
          "noMonitor", "leftAlone", "noMode", "noCRTC", "refused", "busy", "noMaster", "noCard", "asleep", "failed",
        ]),
        "Why it is dark, in a word."),
      .may("since", moment, "Since when it is in this state."),
      .must("role", word(["internal", "external"]), "What sort of display it is."),
      .must("card", text("/dev/dri/card0"), "The card's node, or memory."),
      .must("driver", text("virtio_gpu"), "The driver's name."),
      .may(
        "monitor", text("DEL U2720Q"), "The monitor's name from its EDID. Without a monitor, the name of the last one."),
      .may("identity", text(), "The stable identity that a configuration can name."),
      .may("mode", text("1920x1080@60"), "The mode that is set."),
      .must("width", pixels, "Pixels across; 0 where no mode is set."),
      .must("height", pixels, "Pixels down; 0 where no mode is set."),
      .must("scale", integer(), "How many pixels a logical unit has."),
      .may("message", text(), "The text on the display now."),
      .must("warnings", sentences, "What a person should know of how it is shown."),
      .must("rotation", word(turns: [0, 90, 180, 270]), "By how many degrees clockwise pictures are turned."),
      .must("modes", list(of: text("1920x1080@60")), "The modes that can be asked for."),
      .may("trial", ref("ModeTrial"), "The mode that is tried now."),
      .must("isChosen", flag, "Whether mode or turn was chosen by remote control, and not by the configuration."),
      .may("session", integer(1...Int.max), "The session that it has, seen or covered."),
      .may("missedFrames", pixels, "How many pictures of what moves on it came too late, since it was plugged in."),
      .may("missedInARow", pixels, "The most of those that came too late one after the other."),
      .may(
        "mounted", word(turns: [90, 180, 270]),
        "By how many degrees clockwise pictures are turned beyond `rotation`, for a panel that is built in turned."),
    ])

  private static func word(turns: [Int]) -> JSONValue {
    ["type": "integer", "enum": .array(turns.map { .number("\($0)") })]
  }
}
