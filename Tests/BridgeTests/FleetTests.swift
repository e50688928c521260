import JSON
import MQTT
import Testing

@testable import Bridge

/// The commands for a fleet, without a broker.
struct FleetTests {
  private static func box(_ name: String, tags: [String] = [], state: String = "ok", isOnline: Bool = true) -> FleetBox
  {
    var inventory = FleetInventory()
    let report = #"""
      {"state":"\#(state)","tags":[\#(tags.map { "\"\($0)\"" }.joined(separator: ","))],"version":"0.1.0",
      "displays":[{"name":"DP-1","state":"lit","identity":"DEL-1","monitor":"DELL U2720Q","message":"Hello"}]}
      """#
    inventory.read(MQTTMessage(topic: "placard/\(name)/reported", payload: Array(report.utf8)))
    let availability = isOnline ? "online" : "offline"
    inventory.read(MQTTMessage(topic: "placard/\(name)/availability", payload: Array(availability.utf8)))
    return inventory.boxes[0]
  }

  private static let boxes = [
    box("berlin/lobby", tags: ["lobby", "floor-1"]), box("berlin/yard", tags: ["yard"], state: "degraded"),
    box("paris/lobby", tags: ["lobby"], isOnline: false),
  ]

  @Test(arguments: [
    ("", ["berlin/lobby", "berlin/yard", "paris/lobby"]), ("all", ["berlin/lobby", "berlin/yard", "paris/lobby"]),
    ("tag:lobby", ["berlin/lobby", "paris/lobby"]), ("tag:lobby and not site:berlin", ["paris/lobby"]),
    ("site:paris or tag:yard", ["berlin/yard", "paris/lobby"]), ("tag:floor*", ["berlin/lobby"]),
    ("state:offline", ["paris/lobby"]), ("not state:ok", ["berlin/yard", "paris/lobby"]),
    ("site:paris or site:berlin and tag:yard", ["berlin/yard", "paris/lobby"]),
    ("(site:paris or site:berlin) and tag:yard", ["berlin/yard"]), ("not (tag:lobby)", ["berlin/yard"]),
    ("not not tag:yard", ["berlin/yard"]), (#"monitor:"DELL U2720Q" and node:yard"#, ["berlin/yard"]),
    ("monitor:DEL-1 and version:0.1.0 and site:paris", ["paris/lobby"]), ("tag:nothing", []),
  ])
  func `An expression chooses boxes`(text: String, names: [String]) throws {
    let expression = try FleetExpression(parsing: text)
    #expect(Self.boxes.filter(expression.matches).map(\.name) == names)
  }

  @Test(arguments: [
    ("lobby", "\"lobby\" is not a term"), ("color:red", "tag:"), ("tag:a tag:b", "`and` or `or`"),
    ("tag:a and", "ends where a term is expected"), ("(tag:a", "parenthesis"), ("tag:a)", "\")\""), ("not", "ends"),
    ("or tag:a", "\"or\""), ("tag:", "\"tag:\""),
  ])
  func `A mistake is named with what is possible`(text: String, reason: String) {
    let error = #expect(throws: FleetExpression.Mistake.self) { try FleetExpression(parsing: text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `A long or deep expression is refused or read, and ends nothing`() throws {
    #expect(throws: FleetExpression.Mistake.self) {
      try FleetExpression(parsing: String(repeating: "(", count: 100_000) + "tag:a")
    }
    #expect(throws: FleetExpression.Mistake.self) {
      try FleetExpression(parsing: String(repeating: "not ", count: 100_000) + "tag:a")
    }
  }

  @Test func `An override hides what a group shares, and later changes of the group do not hide it`() {
    var change = DesiredChange()
    change.bodies = ["/v1/message": ["text": "Group"], "/v1/values/a": ["value": 1]]
    var document = change.applied(to: nil)
    #expect(document["version"] == 1)
    var own = DesiredChange()
    own.isOverride = true
    own.bodies = ["/v1/message": ["text": "Own"]]
    document = own.applied(to: document)
    #expect(document["version"] == 2)
    #expect(document["state"] == ["/v1/message": ["text": "Own"], "/v1/values/a": ["value": 1]])
    change.bodies = ["/v1/message": ["text": "Group 2"]]
    change.forgotten = ["/v1/values/a"]
    document = change.applied(to: document)
    #expect(document["state"] == ["/v1/message": ["text": "Own"]])
    own.bodies = [:]
    own.forgotten = ["/v1/message"]
    document = own.applied(to: document)
    #expect(document["state"] == ["/v1/message": ["text": "Group 2"]] && document["version"] == 4)
    // What another program has written is shared.
    let foreign: JSONValue = ["version": 7, "state": ["/v1/sleep": .null]]
    #expect(change.applied(to: foreign)["state"] == ["/v1/message": ["text": "Group 2"], "/v1/sleep": .null])
  }

  @Test func `Receipts sum up displays, and name boxes by reason`() {
    var receipts = FleetReceipts(asked: 4)
    receipts.read(
      ["status": 200, "body": ["shown": [["display": "A"], ["display": "B"]], "notShown": []]], of: "x/1")
    receipts.read(["status": 200, "body": ["shown": [], "notShown": ["DP-1: the display is asleep"]]], of: "x/2")
    receipts.read(["status": 422, "body": ["detail": "no text"]], of: "x/3")
    receipts.note("the box is offline", "x/4")
    let lines = receipts.lines(0.94)
    #expect(lines[0] == "2 of 5 on screen in 0.9 s; 3 of 4 boxes answered")
    #expect(lines.contains("1 because the display is asleep: x/2 DP-1"))
    #expect(lines.contains("1 because no text: x/3") && lines.contains("1 because the box is offline: x/4"))
  }

  @Test func `Messages that are not of boxes, or are damaged, change nothing`() {
    var inventory = FleetInventory()
    for topic in ["placard/a/b/reported", "placard/a/reported", "other/a/b/reported", "placard/a/b/c/d", ""] {
      #expect(inventory.read(MQTTMessage(topic: topic, payload: Array("{".utf8))) == nil)
    }
    #expect(inventory.boxes.isEmpty)
  }
}
