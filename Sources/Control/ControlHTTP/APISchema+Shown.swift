import JSON

extension APISchema {
  private static let id = integer(1...Int.max)

  private static let showing = object(
    "The presentation of a message on one display.",
    [
      .must("display", text("HDMI-A-1"), "The connector's name."),
      .must(
        "flipTime", integer(0...Int.max),
        "The time of the flip, in nanoseconds of CLOCK_MONOTONIC. If the display showed the same picture before, it is "
          + "the time of that flip."),
      .must(
        "milliseconds", ["type": "number"], "The time from the arrival of the request to the flip, in milliseconds."),
    ])

  private static let cover = object(
    "A message that prevents a display from showing the requested content.",
    [
      .must("display", text("HDMI-A-1"), "The display's connector."), .must("message", id, "The ID of the message."),
      .must("summary", text("Welcome"), "A one-line summary of the message's scene."),
      .may("expires", moment, "The time at which the message expires; absent if it stays until it is withdrawn."),
      .must("acknowledge", flag, "Whether the message stays until it is acknowledged."),
    ])

  private static let delivery: [Field] = [
    .must("shown", list(of: showing), "The displays that have shown it; filled in only if the request asked to wait."),
    .must("notShown", list(of: text()), "The displays that did not show it, as `name: reason`."),
    .must("warnings", list(of: text()), "Warnings for people about how the content is shown."),
    .may(
      "unseen", text("no monitor is connected"),
      "The reason why no display shows it or is about to; absent if one does."),
    .may("covers", list(of: cover), "The messages that cover it, one per display."),
  ]

  /// The schemas of the reports on messages, sessions, the board and the history.
  static let shown: [String: JSONValue] = [
    "MessageReport": object(
      "A message, and where it is shown.",
      [
        .may("id", id, "The ID of the live message; absent if there is none."),
        .may("display", text("HDMI-A-1"), "The target display; absent for other targets."),
        .may("text", text("Welcome"), "The text; absent if there is none."),
      ] + delivery),
    "Delivery": object("The result of showing the requested content on displays.", delivery),
    "LiveMessage": object(
      "A message that is shown, or that would be shown if nothing covered it.",
      [
        .must("id", id, "The message's ID, which is never used again."),
        .may("name", text("fire"), "The message's name."),
        .may("text", text("Welcome"), "The text; absent if the message is a scene of another kind."),
        .must("scene", ref("SceneDocument"), "The scene."), .must("kind", text("banner"), "The scene's kind."),
        .must("summary", text(), "A one-line summary of the scene, for people."),
        .must("target", text("role:external"), "The target: all, role:NAME, display:NAME or tag:NAME."),
        .must(
          "priority", integer(-100...100), "The priority; messages of higher priority cover those of lower priority."),
        .must("created", moment, "The time at which the message was posted."),
        .must("changed", moment, "The time at which the message was last posted under its name."),
        .may("expires", moment, "The time at which the message expires; absent if it does not expire."),
        .must("acknowledge", flag, "Whether the message stays until it is acknowledged."),
        .must("shown", list(of: text("HDMI-A-1")), "The displays that show the message now."),
      ]),
    "ClearReport": object(
      "The messages that a request removed, and the messages that displays still show.",
      [
        .must(
          "removed",
          list(
            of: object(
              "A message that the request ended.",
              [
                .must("id", id, "The message's ID."),
                .must("summary", text(), "A one-line summary of what the message showed."),
              ])),
          "The messages that the request ended."),
        .must(
          "remaining",
          list(
            of: object(
              "A message that is still shown.",
              [
                .must("id", id, "The message's ID."),
                .must("summary", text(), "A one-line summary of what the message shows."),
                .must("displays", list(of: text("HDMI-A-1")), "The displays that show the message."),
                .may("expires", moment, "The time at which the message expires; absent if it does not expire."),
                .must("acknowledge", flag, "Whether the message ends when it is acknowledged."),
              ])), "The messages that displays show now; a message that covers another comes first."),
      ]),
    "ClosedSessionReport": object(
      "A session that has ended and can be reopened.",
      [
        .must("id", id, "The session's ID, which it keeps when it is reopened."),
        .may("display", text("HDMI-A-1"), "The display that the session was on or waited for."),
        .must("kind", text("markdown"), "The scene's kind."),
        .must("summary", text(), "A one-line summary of the scene, for people."),
        .may("tag", text("lobby"), "The session's tag."),
        .must("ended", moment, "The time at which the session ended."),
      ]),
    "SessionReport": session,
    "ScrollPlace": object(
      "The scroll position in a scene that is longer than its display.",
      [
        .may(
          "position", ["type": "number", "minimum": 0, "maximum": 1],
          "The position as a fraction: 0 is the beginning and 1 the end."),
        .may("heading", text("first-steps"), "The anchor of the heading at the top."),
      ]),
    "BoardReport": object(
      "The controller's board.",
      [
        .must("board", ref("SceneDocument"), "The scene document of kind board, in which each card has an id."),
        .must("revision", text("9ae16a3b2f90404f"), "The revision of the board, which is its entity tag."),
        .must(
          "open",
          list(
            of: object(
              "A card that is open in a session.",
              [
                .must("card", text("c1"), "The card's ID."),
                .must("session", id, "The ID of the session that shows the card."),
                .may(
                  "display", text("HDMI-A-1"),
                  "The display of the session; absent while the session waits for its monitor."),
              ])), "The open cards."),
      ]),
    "HistoryLine": object(
      "The history entry for what a display showed during one period.",
      [
        .must("id", text("3755000000000000001"), "The ID of the entry; newer entries have larger numbers."),
        .must("display", text("HDMI-A-1"), "The connector's name."),
        .must("monitor", text(), "The monitor that was connected there."),
        .may("session", id, "The ID of the session that was shown."),
        .must("kind", text("banner"), "The scene's kind."),
        .must("what", text(), "A one-line summary of the scene, for people."),
        .must("began", moment, "The time of the first flip."),
        .may(
          "ended", moment,
          "The time of the flip that replaced it, or at which the display went dark; absent while it is shown."),
        .must(
          "exact", flag, "Whether the end is exact; false if it was not observed and came some time after `ended`."),
      ]),
    "SceneDocument": [
      "type": "object", "description": "A scene document.", "required": ["kind"],
      "properties": ["kind": ["type": "string", "examples": ["banner"]]],
    ],
    "ControlEvent": event,
  ]

  private static let session = object(
    "The content of one monitor, whether it is connected or not.",
    [
      .may("id", id, "The session's ID; absent if the monitor shows the scene of its role."),
      .must("monitor", text(), "The monitor's identity."), .may("label", text(), "The monitor's name from its EDID."),
      .may("display", text("HDMI-A-1"), "The display of the monitor; absent while the session waits for its monitor."),
      .must("place", text("HDMI-A-1"), "The connector of the monitor, or its last one."),
      .may("scene", ref("SceneDocument"), "The session's scene document."),
      .may("revision", text("9ae16a3b2f90404f"), "The revision of the scene, which is its entity tag."),
      .may("kind", text("markdown"), "The scene's kind."),
      .may("summary", text(), "A one-line summary of the scene, for people."),
      .may("tag", text("lobby"), "The session's tag."),
      .may("scroll", ref("ScrollPlace"), "The scroll position."),
      .may("opened", moment, "The time at which the session was opened."),
      .must("covered", flag, "Whether a message covers the session now."),
      .may("message", text(), "The text if the session is a banner."),
      .must("asleep", flag, "Whether the monitor was put to sleep."),
      .may(
        "delivery", ref("Delivery"),
        "The result of showing the scene; only in the answer to a request that opens a session."),
    ])

  private static let event = object(
    """
    An event. The kinds are connected, disconnected, modeChanged, messageShown, stateChanged, dark, asleep, \
    sessionOpened, sessionMoved, sessionClosed, messagePosted, messageEnded, sessionChanged, boardChanged, modePending and \
    healthChanged; later versions may add kinds.
    """,
    [
      .must("id", integer(1...Int.max), "The event's number, which counts up while the service runs."),
      .must("kind", text("messageShown"), "The kind of the event."),
      .must("display", text("HDMI-A-1"), "The connector's name; empty if the event does not concern a single display."),
      .must("time", integer(0...Int.max), "The time of the event, in nanoseconds of CLOCK_MONOTONIC."),
      .may("date", moment, "The same time on the wall clock of the service's machine, as it was set then."),
      .may(
        "detail", text(),
        "The mode, the summary or the reason, in one line of at most 80 characters. The message or session has the "
          + "whole text."),
      .may("session", id, "The ID of the session that the event concerns."),
      .may("message", id, "The ID of the message that the event concerns."),
    ])
}
