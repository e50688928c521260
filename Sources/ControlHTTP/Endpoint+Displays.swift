import Control

extension Endpoint {
  /// Displays: what they are, and what is on them.
  static let aboutDisplays = [
    Endpoint(method: "GET", path: "/v1/displays") { .json(await $0.service.displays()) },
    Endpoint(method: "GET", path: "/v1/displays/{display}") { try await $0.displayReport() },
    Endpoint(method: "GET", path: "/v1/displays/{display}/why") { .json(try await $0.service.why($0.display)) },
    Endpoint(method: "GET", path: "/v1/displays/{display}/screenshot") {
      .png(try await $0.service.screenshot($0.display))
    },
    Endpoint(method: "GET", path: "/v1/displays/{display}/preview", query: ["width", "format"]) {
      try await $0.preview()
    },
    Endpoint(method: "PUT", path: "/v1/displays/{display}/mode", body: .json) {
      .json(try await $0.service.setMode($0.display, try $0.request.body.decode(ModeRequest.self)))
    },
    Endpoint(method: "DELETE", path: "/v1/displays/{display}/mode") {
      .json(try await $0.service.resetMode($0.display))
    },
    Endpoint(method: "PUT", path: "/v1/displays/{display}/mode/confirmation") {
      .json(try await $0.service.confirmMode($0.display))
    },
    Endpoint(method: "PUT", path: "/v1/sleep", body: .json) {
      .json(try await $0.service.setAsleep(try $0.request.body.decode(SleepRequest.self)))
    },
    Endpoint(method: "POST", path: "/v1/identify", body: .json) {
      .json(try await $0.service.identify(try $0.request.body.decode(IdentifyRequest.self)))
    },
  ]

  /// Virtual monitors.
  static let aboutVirtual = [
    Endpoint(method: "GET", path: "/v1/virtual") { .json(try await $0.service.virtualMonitors()) },
    Endpoint(method: "POST", path: "/v1/virtual", body: .json) {
      let report = try await $0.service.plug(try $0.request.body.decode(PlugRequest.self))
      return .created(report, at: "/v1/displays/" + PercentEncoding.encode(report.name))
    },
    Endpoint(method: "DELETE", path: "/v1/virtual/{display}") {
      try await $0.service.unplug($0.display)
      return .nothing
    },
  ]
}

extension Call {
  fileprivate func displayReport() async throws(ControlError) -> Answer {
    let reports = await service.displays()
    if let report = reports.first(where: { $0.name == display }) { return .json(report) }
    let names = reports.isEmpty ? "none" : reports.map(\.name).joined(separator: ", ")
    throw ControlError(.notFound, "There is no display \(display); known are: \(names).")
  }

  fileprivate func preview() async throws -> Answer {
    let format = query["format"] ?? PreviewRequest.Format.jpeg.rawValue
    guard let format = PreviewRequest.Format(rawValue: format) else {
      throw Problem.malformed("The field format is \(format): it is jpeg or png.")
    }
    let widths = PreviewRequest.widths
    let width = try number("width", in: widths, "a number of pixels, \(widths.lowerBound) to \(widths.upperBound)")
    var wish = PreviewRequest(width: width ?? 480, format: format)
    let known = try tags("If-None-Match")
    if case .list(let tags)? = known { wish.known = tags.first?.text }
    let preview = try await service.preview(display, wish)
    return .file(preview.bytes, preview.type, tag: EntityTag(text: preview.tag), known: known)
  }
}
