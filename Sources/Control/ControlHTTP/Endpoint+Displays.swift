import Control
import Primitives

extension Endpoint {
  /// The endpoints for displays.
  static let aboutDisplays = [
    Endpoint(
      "GET", "/v1/displays", "displays", "All known displays.",
      query: Page.fields, answer: .page("DisplayReport", "The displays."),
      perform: { try await $0.page(await $0.service.displays(), by: \.name) }),
    Endpoint(
      "GET", "/v1/displays/{display}", "display", "The state of one display.",
      answer: .report("DisplayReport", "The display."),
      perform: { try await $0.displayReport() }),
    Endpoint(
      "GET", "/v1/displays/{display}/why", "why", "The way in which a display's mode was chosen.",
      answer: .report("WhyReport", "The choice and the reasons for it."), problems: [409],
      perform: { .json(try await $0.service.why($0.display)) }),
    Endpoint(
      "GET", "/v1/displays/{display}/screenshot", "screenshot", "The frame that the display shows, upright.",
      query: screenshotFields, answer: .file(["image/png", "image/jpeg"], "The frame.", isCached: false),
      problems: [409], perform: { try await $0.screenshot() }),
    Endpoint(
      "GET", "/v1/displays/{display}/preview", "preview", "A small image of what the display shows now.",
      query: previewFields, answer: .file(["image/jpeg", "image/png"], "The image."), problems: [409],
      perform: { try await $0.preview() }),
    Endpoint(
      "PUT", "/v1/displays/{display}/mode", "setMode",
      "Changes the mode or rotation of one monitor; the change is reverted after 15 seconds unless it is confirmed.",
      body: .json("ModeRequest"), answer: .report("DisplayReport", "The display with its pending mode change."),
      problems: [409],
      perform: { .json(try await $0.service.setMode($0.display, try $0.body())) }),
    Endpoint(
      "DELETE", "/v1/displays/{display}/mode", "resetMode",
      "Reverts a pending mode change; without one, deletes the choice made for this monitor.",
      answer: .report("DisplayReport", "The display with the mode that it has now."), problems: [409],
      perform: { .json(try await $0.service.resetMode($0.display)) }),
    Endpoint(
      "PUT", "/v1/displays/{display}/mode/confirmation", "confirmMode", "Keeps the pending mode change.",
      answer: .report("DisplayReport", "The display with the mode that was kept."), problems: [409],
      perform: { .json(try await $0.service.confirmMode($0.display)) }),
    Endpoint(
      "PUT", "/v1/sleep", "setAsleep", "Puts one display or all displays to sleep, or wakes them.",
      body: .json("SleepRequest"), answer: .list("DisplayReport", "The displays concerned."), problems: [404, 409],
      perform: { .json(try await $0.service.setAsleep(try $0.body())) }),
    Endpoint(
      "POST", "/v1/identify", "identify", "Shows each display's name on it for some seconds.",
      body: .json("IdentifyRequest"), answer: .list("DisplayReport", "The displays concerned."), problems: [404, 409],
      perform: { .json(try await $0.service.identify(try $0.body())) }),
  ]

  /// The endpoints for virtual monitors.
  static let aboutVirtual = [
    Endpoint(
      "GET", "/v1/virtual", "virtualMonitors",
      "The virtual monitors that are plugged in, and those that can be plugged in.",
      answer: .report("VirtualReport", "The virtual monitors."),
      perform: { .json(try await $0.service.virtualMonitors()) }),
    Endpoint(
      "POST", "/v1/virtual", "plug", "Plugs in a virtual monitor.", body: .json("PlugRequest"),
      answer: .created("DisplayReport", "The display of the virtual monitor.", "display", by: "name"),
      problems: [404, 409],
      perform: {
        let report = try await $0.service.plug(try $0.body())
        return .created(report, at: "/v1/displays/" + PercentEncoding.encode(report.name))
      }),
    Endpoint(
      "DELETE", "/v1/virtual/{display}", "unplug", "Unplugs a virtual monitor.",
      answer: .done("The monitor was unplugged."),
      problems: [409],
      perform: {
        try await $0.service.unplug($0.display)
        return .nothing
      }),
  ]

  private static let screenshotFields = [
    Field("format", APISchema.word(PreviewRequest.Format.allCases.map(\.rawValue)), "The file format; png by default."),
    Field(
      "as-scanned-out", APISchema.flag,
      "Whether the frame keeps the rotation in which it is scanned out; false by default."),
  ]

  private static let previewFields = [
    Field(
      "width", APISchema.integer(PreviewRequest.widths, example: 480),
      "The maximum width in pixels; the frame of a smaller display is not enlarged."),
    Field(
      "format", APISchema.word(PreviewRequest.Format.allCases.map(\.rawValue)), "The file format; jpeg by default."),
  ]
}

extension Call {
  fileprivate func displayReport() async throws(ControlError) -> Answer {
    let reports = await service.displays()
    if let report = reports.first(where: { $0.name == display }) { return .json(report) }
    throw .unknownDisplay(display, known: reports.map(\.name))
  }

  fileprivate func screenshot() async throws -> Answer {
    let request = ScreenshotRequest(format: try format(or: .png), isAsScannedOut: try flag("as-scanned-out"))
    let bytes = try await service.screenshot(display, request)
    return .image(bytes, "image/\(request.format.rawValue)")
  }

  private func format(or usual: PreviewRequest.Format) throws(Problem) -> PreviewRequest.Format {
    guard let word = query["format"] else { return usual }
    if let format = PreviewRequest.Format(rawValue: word) { return format }
    throw Problem.malformed("The field format is \(word): it must be jpeg or png.")
  }

  fileprivate func preview() async throws -> Answer {
    let format = try format(or: .jpeg)
    let widths = PreviewRequest.widths
    let width = try number("width", in: widths, "a number of pixels, \(widths.lowerBound) to \(widths.upperBound)")
    var request = PreviewRequest(width: width ?? 480, format: format)
    let known = try tags("If-None-Match")
    if case .list(let tags)? = known { request.known = tags.first?.text }
    let preview = try await service.preview(display, request)
    return .file(preview.bytes, preview.type, tag: EntityTag(text: preview.tag), known: known)
  }
}
