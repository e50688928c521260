import Control
import Primitives

extension Endpoint {
  /// The endpoints for uploaded images.
  static let aboutImages = [
    Endpoint(
      "GET", "/v1/images", "images", "The uploaded images, newest first.",
      query: Page.fields, answer: .page("ImageReport", "The images."),
      perform: { try await $0.page(try await $0.service.images(), by: \.name) }),
    Endpoint(
      "POST", "/v1/images", "addImage",
      "Stores an image for use in scenes. An image that is already stored is not stored twice.",
      query: [
        Field(
          "file", APISchema.text("poster.png", least: 1),
          "The name of the file, under which scenes can refer to the image.")
      ],
      body: .image, answer: .created("ImageReport", "The image.", "image", by: "name"), problems: [409],
      perform: {
        guard !$0.request.body.bytes.isEmpty else {
          throw Problem.malformed("The body is empty: send a PNG or a JPEG.")
        }
        let report = try await $0.service.addImage($0.request.body.bytes, file: $0.query["file"])
        return .created(report, at: "/v1/images/" + PercentEncoding.encode(report.name))
      }),
    Endpoint(
      "GET", "/v1/images/{image}", "image", "The file of an uploaded image.",
      answer: .file(["image/png", "image/jpeg"], "The file."), problems: [409], perform: { try await $0.picture() }),
    Endpoint(
      "DELETE", "/v1/images/{image}", "removeImage", "Removes an uploaded image that no scene shows.",
      answer: .done("The image was removed."), problems: [409],
      perform: {
        try await $0.service.removeImage($0.name("image"))
        return .nothing
      }),
  ]
}

extension Call {
  fileprivate func picture() async throws -> Answer {
    let bytes = try await service.image(name("image"))
    let type = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? "image/png" : "image/jpeg"
    return .file(bytes, type, tag: .of(bytes), known: try tags("If-None-Match"))
  }
}
