import Control
import JSON

extension APISchema {
  private static let display = text("Virtual-1", least: 1)
  // Must match what `Name` in Scenes accepts.
  private static let name = text("fire", pattern: "^[A-Za-z0-9._:@-]{1,64}$")
  private static let tag = text("lobby", pattern: "^(card:)?[A-Za-z0-9._:@-]{1,64}$")

  /// The schemas of the requests that clients send, by their names in the document.
  static let requests: [String: JSONValue] = [
    "MessageRequest": object(
      "A message to show: a text, or a scene. Without display, role and tag it is for all displays.",
      whatIsShown + [
        .may("display", display, "The display it is for."),
        .may("role", word(["internal", "external"]), "The displays it is for, by their role."),
        .may("tag", tag, "The displays it is for, by their monitors' tag or their session's."),
        .may("name", name, "What it is called: another message of this name takes its place."),
        .may(
          "priority", integer(-100...100), "Higher ones cover lower ones; 0, that of sessions, where nothing is said."),
        .may("seconds", integer(1...MessageRequest.mostSeconds, example: 600), "How long it lives."),
        .may("acknowledge", flag, "Whether it is there until somebody acknowledges it."),
        waiting,
      ], isClosed: true,
      and: textOrScene.merging(
        [
          "not": [
            "anyOf": [
              ["required": ["display", "role"]], ["required": ["display", "tag"]], ["required": ["role", "tag"]],
            ]
          ]
        ]) { first, _ in first }),
    "PlainMessageRequest": object(
      "What is to be shown in place of all else: a text, or a scene.",
      whatIsShown + [.may("display", display, "The display it is for; all without it."), waiting], isClosed: true,
      and: textOrScene),
    "DisplayMessageRequest": object(
      "What the display of the path is to show: a text, or a scene.", whatIsShown + [waiting], isClosed: true,
      and: textOrScene),
    "OpenRequest": object(
      "A scene to open as a session: it is its monitor's own, and ends the one that was there.",
      [
        .must("scene", ref("scene"), "The scene's document."),
        .may("display", display, "Where; without it where it is open already, then where nothing is."),
        .may("tag", tag, "What it is called: the session of this tag is brought forward."),
        waiting,
      ], isClosed: true),
    "MoveRequest": object(
      "Where a session is to go.", [.must("display", display, "The display; the session that is there ends.")],
      isClosed: true),
    "ScrollRequest": object(
      "How far a scene that is longer than its display is to be read: one of three ways to say it.",
      [
        .may(
          "position", ["type": "number", "minimum": 0, "maximum": 1], "A share of the way, 0 the beginning, 1 the end."),
        .may("heading", text("first-steps", least: 1), "The anchor of a heading."),
        .may("page", integer(-1000...1000, example: 1), "Pages from here: 1 the next one, -1 the one before."),
      ], isClosed: true,
      and: ["oneOf": [["required": ["position"]], ["required": ["heading"]], ["required": ["page"]]]]),
    "SleepRequest": object(
      "Who is to sleep, or to wake.",
      [
        .must("asleep", flag, "Whether to sleep."),
        .may("display", display, "The display; all that are connected without it."),
      ], isClosed: true),
    "ModeRequest": object(
      "Another mode, or another turn, for one monitor: at least one of the two.",
      [
        .may(
          "mode", text("1280x720@60", least: 1),
          "A policy (legible, native, halve-above-1080p) or one of the display's modes."),
        .may("rotation", ["type": "integer", "enum": [0, 90, 180, 270]], "Degrees clockwise."),
        .may("keep", flag, "True keeps it at once; otherwise it is taken back after 15 seconds without confirmation."),
      ], isClosed: true, and: ["anyOf": [["required": ["mode"]], ["required": ["rotation"]]]]),
    "IdentifyRequest": object(
      "Which displays are to tell their names.",
      [
        .may("display", display, "The display; all that are connected without it."),
        .may("seconds", integer(1...600), "For how long; 10 without it."),
      ], isClosed: true),
    "PlugRequest": plug,
  ]

  private static let waiting = Field.may("wait", flag, "Whether to answer only when it is on the glass.")

  private static let whatIsShown: [Field] = [
    .may("text", text("Welcome"), "The text, as large as it can be; an empty one leaves the plain background."),
    .may("scene", ref("scene"), "A scene's document, instead of a text."),
  ]

  private static let textOrScene: [String: JSONValue] = [
    "oneOf": [["required": ["text"]], ["required": ["scene"]]]
  ]

  private static let plug = object(
    "A virtual monitor to plug: a size, or a real monitor's EDID.",
    [
      .may(
        "display", text("Virtual-2", pattern: "^(Virtual-([1-9]|[1-5][0-9]|6[0-4])|eDP-1)$"),
        "The virtual output; the next free one without it."),
      .may("width", integer(16...16384, example: 1280), "Pixels across; width times height is at most 35389440."),
      .may("height", integer(16...16384, example: 720), "Pixels down; width times height is at most 35389440."),
      .may(
        "edid",
        text(least: 172, most: 44_000, pattern: "^AP///////wA[A-Za-z0-9+/]*={0,2}$").setting(
          "contentEncoding", "base64"),
        "The EDID's bytes in base64, instead of a size."),
    ], isClosed: true,
    and: [
      "oneOf": [
        ["required": ["width", "height"], "not": ["required": ["edid"]]],
        [
          "required": ["edid"],
          "not": ["anyOf": [["required": ["width"]], ["required": ["height"]]]],
        ],
      ]
    ])
}
