/// A reader and a formatter for health reports whose texts are plain (see `FastText`).
struct FastHealth {
  private var state: String?
  private var uptime: Int?
  private var reasons: [String] = []
  private var rejections: [(limit: String, times: Int)] = []
  private var losses = 0

  /// Returns the health in a report, or nil if the report is not valid JSON or contains anything else.
  static func read(_ body: ArraySlice<UInt8>) -> FastHealth? {
    var (json, health) = (FastJSON(body), FastHealth())
    let isPlain = json.members { key, json in health.read(key, &json) }
    guard isPlain, json.isAtEnd, case (_?, _?) = (health.state, health.uptime) else { return nil }
    return health
  }

  private mutating func read(_ key: [UInt8], _ json: inout FastJSON) -> Bool {
    if key.elementsEqual("live".utf8) || key.elementsEqual("ready".utf8) { return json.bool() != nil }
    if key.elementsEqual("state".utf8) {
      state = json.line()
      return ["ok", "starting", "degraded"].contains { state?.utf8.elementsEqual($0.utf8) ?? false }
    }
    if key.elementsEqual("uptime".utf8) {
      uptime = json.integer()
      return uptime != nil
    }
    if key.elementsEqual("reasons".utf8), let lines = json.lines() {
      reasons = lines
      return true
    }
    if key.elementsEqual("losses".utf8) {
      // Their texts are among the reasons.
      return json.list("[", "]") { json in
        losses += 1
        return json.skip()
      }
    }
    guard key.elementsEqual("rejections".utf8) else { return false }
    return json.members { key, json in
      guard FastText.isPlain(key), !key.contains(UInt8(ascii: "\\")), let times = json.integer() else { return false }
      rejections.append((String(decoding: key, as: UTF8.self), times))
      return true
    }
  }

  /// Whether the service is healthy.
  var isOK: Bool { state?.utf8.elementsEqual("ok".utf8) ?? false }

  /// Returns the same lines as the full program.
  func lines(_ style: FastStyle) -> [String] {
    let isStarting = state?.utf8.elementsEqual("starting".utf8) ?? false
    let color: FastStyle.TextColor = isOK ? .good : isStarting ? .doubtful : .bad
    let head = style.paint(state ?? "", color) + HealthTexts.up(uptime ?? 0)
    let more = rejections.map { HealthTexts.limitHit($0.limit, times: $0.times) }
    let hint = losses == 0 ? [] : [HealthTexts.losses(losses)]
    return [head] + (reasons + more + hint).map { HealthTexts.indent + $0 }
  }
}
