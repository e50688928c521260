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
      "A message to show: a text or a scene. Without a display, role or tag, the target is all displays.",
      whatIsShown + [
        .may("display", display, "The target display."),
        .may("role", word(["internal", "external"]), "The role of the target displays."),
        .may("tag", tag, "The tag of the target displays: that of their monitor or of their session."),
        .may("name", name, "The message's name; a message replaces an earlier one of the same name."),
        .may(
          "priority", integer(-100...100),
          "The priority; higher covers lower. The default is 0, the priority of sessions."),
        .may(
          "seconds", integer(1...MessageRequest.mostSeconds, example: 600),
          "The lifetime in seconds; without it, the message stays until it is withdrawn."),
        .may("acknowledge", flag, "Whether the message stays until it is acknowledged."),
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
      "A message that covers everything else: a text or a scene.",
      whatIsShown + [.may("display", display, "The target display; without it, the target is all displays."), waiting],
      isClosed: true,
      and: textOrScene),
    "DisplayMessageRequest": object(
      "A message for the display in the path: a text or a scene.", whatIsShown + [waiting], isClosed: true,
      and: textOrScene),
    "OpenRequest": object(
      "A scene to open as a session, which belongs to one monitor and ends the session there.",
      [
        .must("scene", ref("scene"), "The scene document."),
        .may(
          "display", display,
          "The display; the default is the one that has the scene open, or else one without a session."),
        .may("tag", tag, "The session's tag; a session with this tag is brought forward with the new scene."),
        waiting,
      ], isClosed: true),
    "MoveRequest": object(
      "A request to move a session.",
      [.must("display", display, "The target display; the session that is open there ends.")],
      isClosed: true),
    "ScrollRequest": object(
      "A request to scroll a scene that is longer than its display, with exactly one of the fields.",
      [
        .may(
          "position", ["type": "number", "minimum": 0, "maximum": 1],
          "The position as a fraction: 0 is the beginning and 1 the end."),
        .may("heading", text("first-steps", least: 1), "The anchor of a heading."),
        .may(
          "page", integer(-1000...1000, example: 1),
          "The number of pages relative to the current one: 1 is the next page, -1 the previous page."),
      ], isClosed: true,
      and: ["oneOf": [["required": ["position"]], ["required": ["heading"]], ["required": ["page"]]]]),
    "SleepRequest": object(
      "A request to put displays to sleep or to wake them.",
      [
        .must("asleep", flag, "Whether to sleep."),
        .may("display", display, "The display; without it, all connected displays."),
      ], isClosed: true),
    "ModeRequest": object(
      "A request for another mode or rotation of one monitor, with at least one of the two.",
      [
        .may(
          "mode", text("1280x720@60", least: 1),
          "A policy (legible, native, halve-above-1080p) or one of the display's modes."),
        .may("rotation", ["type": "integer", "enum": [0, 90, 180, 270]], "The rotation in degrees clockwise."),
        .may(
          "keep", flag,
          "Whether to keep the change at once; otherwise it is reverted after 15 seconds unless it is confirmed."),
      ], isClosed: true, and: ["anyOf": [["required": ["mode"]], ["required": ["rotation"]]]]),
    "IdentifyRequest": object(
      "A request to show the identify screen on displays.",
      [
        .may("display", display, "The display; without it, all connected displays."),
        .may("seconds", integer(1...600), "The duration in seconds; 10 by default."),
      ], isClosed: true),
    "PlugRequest": plug,
  ]

  private static let waiting = Field.may("wait", flag, "Whether to answer only after it was presented.")

  private static let whatIsShown: [Field] = [
    .may("text", text("Welcome"), "The text, shown as large as possible; empty for the plain background."),
    .may("scene", ref("scene"), "A scene document, instead of a text."),
  ]

  private static let textOrScene: [String: JSONValue] = [
    "oneOf": [["required": ["text"]], ["required": ["scene"]]]
  ]

  private static let plug = object(
    "A request to plug in a virtual monitor, given by its size or by a real monitor's EDID.",
    [
      .may(
        "display", text("Virtual-2", pattern: "^(Virtual-([1-9]|[1-5][0-9]|6[0-4])|eDP-1)$"),
        "The virtual output; without it, the next free one."),
      .may("width", integer(16...16384, example: 1280), "The width in pixels; width times height is at most 35389440."),
      .may(
        "height", integer(16...16384, example: 720), "The height in pixels; width times height is at most 35389440."),
      .may(
        "edid",
        text(least: 172, most: 44_000, pattern: "^AP///////wA[A-Za-z0-9+/]*={0,2}$").setting(
          "contentEncoding", "base64"),
        "The bytes of the EDID in base64, instead of a size."),
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
