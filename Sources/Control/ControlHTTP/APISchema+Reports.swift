import JSON

extension APISchema {
  private static let pixels = integer(0...Int.max)
  private static let sentences = list(of: text())

  /// The schemas of the reports that the daemon sends, by their names in the document.
  static let reports: [String: JSONValue] = [
    "Timestamp": object(
      "A point in time, for programs and for people.",
      [
        .must("milliseconds", integer(), "The time in milliseconds since the beginning of 1970, UTC."),
        .must("utc", text("2026-11-21T16:01:38.123Z"), "The same time in ISO 8601 format."),
      ]),
    "Problem": object(
      "The reason why a request failed (RFC 9457).",
      [
        .must("type", text("urn:placard:problem:not-found"), "The type of problem, a URI."),
        .must("title", text("The object does not exist"), "The type of problem in words."),
        .must("status", integer(400...599), "The HTTP status code."),
        .must("detail", text(), "A sentence for people with the object, the reason and the next step."),
      ]),
    "ServiceStatus": object(
      "The status of the service.",
      [
        .must("version", text("0.5.0"), "The service's version."),
        .must(
          "backend", word(["kms", "virtual"]), "The backend: real graphics cards (kms) or virtual displays (virtual)."),
        .must("pid", integer(), "The service's process ID."),
        .must("lit", pixels, "The number of lit displays."),
        .must("connected", pixels, "The number of connected monitors."),
        .must("problems", sentences, "The problems, one sentence each."),
        .may(
          "storage", text(),
          "The file that stores sessions, messages and the history, or why they are kept in memory only."),
        .may(
          "address", text("http://192.0.2.7:8080/"),
          "The URL of the web page; absent if the service listens on its Unix socket only."),
      ]),
    "HealthReport": object(
      "The health of the service, for monitoring.",
      [
        .must("state", word(["starting", "ok", "degraded"]), "The state of the service."),
        .must("live", flag, "Whether the service answers; always true."),
        .must("ready", flag, "Whether the service has enabled all displays that it can, or reported why not."),
        .must("reasons", sentences, "The problems, one sentence each with the next step."),
        .must("uptime", pixels, "The time since the start, in seconds."),
        .must(
          "rejections", ["type": "object", "additionalProperties": ["type": "integer"]],
          "The number of rejections since the start, by the name of the limit."),
        .must(
          "losses", list(of: ref("LossReport")),
          "The unacknowledged losses, oldest first. `reasons` contains the text of each."),
      ]),
    "LossReport": object(
      "A loss of data, which the health reports until the loss is repaired or acknowledged.",
      [
        .must("id", integer(1...Int.max), "The ID of the loss."),
        .must("text", text(), "A sentence that says what was lost and why, with the next step."),
        .must("since", moment, "The time at which the service noticed the loss."),
      ]),
    "Liveness": object("The answer of a running service.", [.must("live", flag, "Always true.")]),
    "DisplayReport": display,
    "PendingModeChange": object(
      "A pending mode change, which is reverted unless it is confirmed.",
      [
        .may("mode", text("1280x720@60"), "The name of a policy or a mode; absent if the mode was not changed."),
        .must(
          "rotation", word(turns: [0, 90, 180, 270]), "The rotation while the change is pending, in degrees clockwise."),
        .must("until", moment, "The time at which the change is reverted."),
      ]),
    "WhyReport": object(
      "The way in which a display's mode was chosen.",
      [
        .must("display", text("HDMI-A-1"), "The connector's name."),
        .must("policy", text("legible"), "The policy that chose the mode."),
        .may("mode", text("1920x1080@60"), "The chosen mode; absent if no mode can be used."),
        .must("scale", integer(), "The number of pixels per logical unit."),
        .must("reasons", sentences, "The steps that led to the choice, one sentence each, in order."),
        .must(
          "rejected",
          list(
            of: object(
              "A rejected mode.",
              [
                .must("mode", text("3840x2160@60"), "The mode."),
                .must("reason", text(), "The reason against the mode."),
              ])),
          "The monitor's other modes, each with the reason against it."),
        .must("attempts", sentences, "The results of the attempts on the hardware, in order."),
      ]),
    "DoctorReport": object(
      "The findings of the service's checks of the machine.",
      [
        .must("healthy", flag, "Whether no finding is wrong."),
        .must("findings", list(of: finding), "The findings, in the order of the checks."),
      ]),
    "LogReport": object(
      "The newest lines of the service's log.",
      [.must("lines", sentences, "The lines, oldest first, each with its UTC time and its level.")]),
    "ImageReport": object(
      "An image that was uploaded for use in scenes.",
      [
        .must(
          "name", text("9f86d081884c7d65.png"), "The image's name: a hash of its bytes and an extension for its format."
        ),
        .may("file", text("poster.png"), "The name of the file that was uploaded; absent if it is unknown."),
        .must("path", text(), "The path on the service's machine, for a scene's `path` or `image` field."),
        .must("type", word(["image/png", "image/jpeg"]), "The media type."),
        .must("width", pixels, "The width in pixels."), .must("height", pixels, "The height in pixels."),
        .must("bytes", pixels, "The size of the file, in bytes."), .must("added", moment, "The time of the upload."),
      ]),
    "VirtualReport": object(
      "The virtual monitors that are plugged in, and those that can be plugged in.",
      [
        .must("available", flag, "Whether the service supports virtual monitors."),
        .must("plugged", list(of: text("Virtual-1")), "The virtual displays that have a monitor."),
        .must(
          "choices",
          list(
            of: object(
              "A monitor that can be plugged in.",
              [
                .must("label", text("4K, 3840x2160"), "The label for people."),
                .must("request", ref("PlugRequest"), "The request that plugs the monitor in."),
              ])), "The monitors that can be plugged in."),
      ]),
  ].merging(shown) { first, _ in first }

  private static let finding = object(
    "The finding of one check.",
    [
      .must("check", text("connectors"), "The name of the check."),
      .must(
        "severity", word(["ok", "note", "wrong", "unseen"]), "The severity; unseen if the check could not be made."),
      .must("code", text("master-held"), "The identifier of the finding, for programs."),
      .may("object", text("/dev/dri/card0"), "The object concerned; absent for the machine."),
      .must("text", text(), "A sentence that names the object."), .may("fix", text(), "The next step, for people."),
      .may("command", text("sudo usermod -aG video ada"), "A command for the next step."),
    ])

  private static let display = object(
    "The state of one display.",
    [
      .must("name", text("HDMI-A-1"), "The connector's name."),
      .must(
        "state", word(["lit", "lighting", "stalled", "dark", "asleep", "disconnected", "lost"]),
        "The state: lit after a flip in the current mode, stalled if flips have stopped, lost if the card is gone."),
      .may("reason", text(), "The reason why the display is not lit."),
      .may(
        "cause",
        word([
          "noMonitor", "leftAlone", "noMode", "noCRTC", "refused", "busy", "noMaster", "noCard", "asleep", "failed",
        ]),
        "The reason code of a dark display."),
      .may("since", moment, "The time since which the display is in this state."),
      .must("role", word(["internal", "external"]), "The role of the display."),
      .must("card", text("/dev/dri/card0"), "The path of the card's device node, or memory."),
      .must("driver", text("virtio_gpu"), "The driver's name."),
      .may(
        "monitor", text("DEL U2720Q"), "The monitor's name from its EDID. Without a monitor, the name of the last one."),
      .may("identity", text(), "The stable identity by which a configuration refers to the monitor."),
      .may("mode", text("1920x1080@60"), "The current mode; absent if none is set."),
      .must("width", pixels, "The width of the mode in pixels; 0 if none is set."),
      .must("height", pixels, "The height of the mode in pixels; 0 if none is set."),
      .must("scale", integer(), "The number of pixels per logical unit."),
      .may("message", text(), "The text that the display shows now."),
      .must("warnings", sentences, "Warnings for people about how the content is shown."),
      .must("rotation", word(turns: [0, 90, 180, 270]), "The rotation of frames in degrees clockwise."),
      .must("modes", list(of: text("1920x1080@60")), "The modes that can be requested, in the monitor's order."),
      .may("pending", ref("PendingModeChange"), "The pending mode change."),
      .must(
        "isChosen", flag, "Whether the mode or rotation was chosen by remote control and not by the configuration."),
      .may("session", integer(1...Int.max), "The ID of the display's session, visible or covered."),
      .may(
        "missedFrames", pixels, "The number of animation frames that missed their flip since the monitor was connected."
      ),
      .may("missedInARow", pixels, "The largest number of consecutive frames that missed their flip."),
      .may(
        "mounted", word(turns: [90, 180, 270]),
        "The rotation in degrees clockwise in addition to `rotation`, for a panel that is mounted rotated."),
    ])

  private static func word(turns: [Int]) -> JSONValue {
    ["type": "integer", "enum": .array(turns.map { .number("\($0)") })]
  }
}
