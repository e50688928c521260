import JSON

extension APISchema {
  private static let id = integer(1...Int.max)

  private static let showing = object(
    "When a display showed it.",
    [
      .must("display", text("HDMI-A-1"), "The connector's name."),
      .must("flipTime", integer(0...Int.max), "The flip's time, nanoseconds of CLOCK_MONOTONIC."),
      .must("milliseconds", ["type": "number"], "From the request's arrival to the flip."),
    ])

  private static let cover = object(
    "A message that keeps a display from showing what was asked for.",
    [
      .must("display", text("HDMI-A-1"), "The display's connector."), .must("message", id, "The ID of the message."),
      .must("summary", text("Welcome"), "The message's scene in one line."),
      .may("expires", moment, "When the message ends by itself; left out if it stays until it is withdrawn."),
      .must("acknowledge", flag, "Whether the message stays until it is acknowledged."),
    ])

  private static let delivery: [Field] = [
    .must("shown", list(of: showing), "Which displays have shown it; filled only where the request asked to wait."),
    .must("notShown", list(of: text()), "Displays that did not although the request waited, with the reason."),
    .must("warnings", list(of: text()), "What a person should know of how it is shown."),
    .may("unseen", text("no monitor is connected"), "Why no display shows it, and none is about to."),
    .may("covers", list(of: cover), "The messages that cover it, a display each."),
  ]

  /// The schemas of the reports on messages, sessions, the board and the history.
  static let shown: [String: JSONValue] = [
    "MessageReport": object(
      "A message and where it is shown.",
      [
        .may("id", id, "The live message that it is."),
        .may("display", text("HDMI-A-1"), "The display it is for."),
        .may("text", text("Welcome"), "Its text; left out where there is none."),
      ] + delivery),
    "Delivery": object("How what was asked for came on the glass.", delivery),
    "LiveMessage": object(
      "A message that is shown, or would be if nothing covered it.",
      [
        .must("id", id, "Names it; never given twice."), .may("name", text("fire"), "What it is called."),
        .may("text", text("Welcome"), "Its text; left out where it is a scene of another kind."),
        .must("scene", ref("SceneDocument"), "The scene."), .must("kind", text("banner"), "The scene's kind."),
        .must("summary", text(), "The scene in a line for people."),
        .must("target", text("role:external"), "Who it is for: all, role:, display: or tag:."),
        .must("priority", integer(-100...100), "Higher ones cover lower ones."),
        .must("created", moment, "When it was posted."),
        .must("changed", moment, "When it was posted last under its name."),
        .may("expires", moment, "When it is over."),
        .must("acknowledge", flag, "Whether it is there until somebody acknowledges it."),
        .must("shown", list(of: text("HDMI-A-1")), "The displays that show it now."),
      ]),
    "ClearReport": object(
      "What a request removed, and the messages that displays show all the same.",
      [
        .must(
          "removed",
          list(
            of: object(
              "A message that ended.",
              [.must("id", id, "The message's number."), .must("summary", text(), "What it showed, in a line.")])),
          "The messages that the request ended."),
        .must(
          "remaining",
          list(
            of: object(
              "A message that is still shown.",
              [
                .must("id", id, "The message's number."), .must("summary", text(), "What it shows, in a line."),
                .must("displays", list(of: text("HDMI-A-1")), "The displays that show it."),
                .may("expires", moment, "When it ends by itself."),
                .must("acknowledge", flag, "Whether it ends when someone acknowledges it."),
              ])), "The messages that displays show now, those that cover others first."),
      ]),
    "ClosedSessionReport": object(
      "A session that ended, and can be opened again.",
      [
        .must("id", id, "The session's number, which it keeps when it is opened again."),
        .may("display", text("HDMI-A-1"), "The display that it was on, or that it waited for."),
        .must("kind", text("markdown"), "The scene's kind."),
        .must("summary", text(), "The scene in a line for people."),
        .may("tag", text("lobby"), "What the session was called."), .must("ended", moment, "When it ended."),
      ]),
    "SessionReport": session,
    "ScrollPlace": object(
      "How far a scene is read: by a share or by a heading.",
      [
        .may("position", ["type": "number", "minimum": 0, "maximum": 1], "A share of the way."),
        .may("heading", text("first-steps"), "The anchor of the heading at the top."),
      ]),
    "BoardReport": object(
      "The controller's board.",
      [
        .must("board", ref("SceneDocument"), "The scene, of kind board; each card has an id."),
        .must("revision", text("9ae16a3b2f90404f"), "Its revision: what its entity tag says."),
        .must(
          "open",
          list(
            of: object(
              "A card that is open somewhere.",
              [
                .must("card", text("c1"), "The card's id."), .must("session", id, "The session that shows it."),
                .may("display", text("HDMI-A-1"), "The display that the session is on."),
              ])), "Which cards are open where."),
      ]),
    "HistoryLine": object(
      "What was on a display, from when to when.",
      [
        .must("id", text("3755000000000000001"), "Names the line; newer lines have larger numbers."),
        .must("display", text("HDMI-A-1"), "The connector's name."),
        .must("monitor", text(), "The monitor that was plugged in there."),
        .may("session", id, "The session that it belonged to."), .must("kind", text("banner"), "The scene's kind."),
        .must("what", text(), "The scene in a line for people."), .must("began", moment, "When its first flip came."),
        .may("ended", moment, "When the next thing came, or the display went dark; left out while it is shown."),
        .must("exact", flag, "False where nobody saw the end: it was some time after `ended`."),
      ]),
    "SceneDocument": [
      "type": "object", "description": "A scene as it is written down.", "required": ["kind"],
      "properties": ["kind": ["type": "string", "examples": ["banner"]]],
    ],
    "ControlEvent": event,
  ]

  private static let session = object(
    "What one monitor shows, while it is plugged in and while it is not.",
    [
      .may("id", id, "Names the session; left out where the monitor shows what its role shows."),
      .must("monitor", text(), "The monitor's identity."), .may("label", text(), "What the monitor calls itself."),
      .may("display", text("HDMI-A-1"), "The display that it is on; left out while it waits for its monitor."),
      .must("place", text("HDMI-A-1"), "The port where the monitor is, or was last."),
      .may("scene", ref("SceneDocument"), "The session's scene."),
      .may("revision", text("9ae16a3b2f90404f"), "The revision of the scene: what its entity tag says."),
      .may("kind", text("markdown"), "The scene's kind."), .may("summary", text(), "The scene in a line for people."),
      .may("tag", text("lobby"), "What the session is called."),
      .may("scroll", ref("ScrollPlace"), "How far it is read."),
      .may("opened", moment, "When it was opened."), .must("covered", flag, "Whether a message covers it now."),
      .may("message", text(), "The text of a session that is a banner."),
      .must("asleep", flag, "Whether it was sent to sleep."),
      .may("delivery", ref("Delivery"), "How it came on the glass; only in the answer to what opened or moved it."),
    ])

  private static let event = object(
    """
    Something that happened. Kinds are connected, disconnected, modeChanged, messageShown, stateChanged, dark, asleep, \
    sessionOpened, sessionMoved, sessionClosed, messagePosted, messageEnded, sessionChanged, boardChanged, modeTrial and \
    healthChanged; there may be more some day.
    """,
    [
      .must("id", integer(1...Int.max), "Counts up over the service's life."),
      .must("kind", text("messageShown"), "What happened."),
      .must("display", text("HDMI-A-1"), "The connector's name; empty where it is not about one display."),
      .must("time", integer(0...Int.max), "Nanoseconds of CLOCK_MONOTONIC."),
      .may("date", moment, "The same moment on the wall clock of the service's machine, as it stood then."),
      .may(
        "detail", text(),
        "The mode, the summary, or the reason, in one line of at most 80 characters. The whole text is at the message "
          + "or session."),
      .may("session", id, "The session that the event is about."),
      .may("message", id, "The message that the event is about."),
    ])
}
