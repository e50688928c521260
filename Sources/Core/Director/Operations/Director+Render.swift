import Configuration
package import Control
import Displays
import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

extension Director {
  package func render(_ request: RenderRequest) async throws(ControlError) -> [UInt8] {
    let state = state
    let view = try state.view(of: request)
    let pixels = Size(request.width, request.height)
    let scale = request.scale ?? ModePolicy.legible.scale(for: pixels)
    let metrics = DisplayMetrics(pixels: pixels, scale: scale)
    do {
      // One at a time: a picture takes as long as a frame, and its memory is that of a frame.
      let picture = try await renderMutex.run { await renderer.picture(of: view, on: metrics) }.get()
      return try await imageEncoder.file(of: picture, as: .png)
    } catch {
      throw ControlError(.failed, "the picture could not be drawn: \(error)")
    }
  }
}

extension ServiceState {
  /// Returns the view of a scene that no display shows.
  fileprivate func view(of request: RenderRequest) throws(ControlError) -> View {
    try request.check()
    guard request.width * request.height <= RenderRequest.mostPixels else {
      throw ControlError(
        .invalid,
        "\(request.width)x\(request.height) is too large for a picture: it may have as many pixels as 3840x2160")
    }
    let scene = try scene(request.scene, for: request.display)
    let output = try request.display.map { (name) throws(ControlError) in try connected(name) }
    var state = self
    state.now = request.at ?? now
    return state.moment(of: scene, in: output?.presentation.style ?? settings.style).view
  }
}

extension Painter {
  /// The time that a picture waits for the image files of its scene.
  private static let patience = Duration.seconds(2)

  /// Draws a view into ordinary memory.
  func picture(of view: View, on metrics: DisplayMetrics) async -> Result<RGBImage, any Error> {
    do {
      let list = try await list(of: view, on: metrics)
      let canvas = Canvas(size: metrics.pixels, format: .xrgb8888)
      _ = canvas.draw(list, with: try readyMaterials())
      return .success(
        try unsafe canvas.withUnsafeBytes { (bytes) throws(ImageError) in
          try unsafe RGBImage(size: canvas.size, format: canvas.format, stride: canvas.stride, copying: bytes)
        })
    } catch {
      return .failure(error)
    }
  }

  /// Returns how a view is shown in a mode, without a surface.
  func inspect(_ view: View, on metrics: DisplayMetrics) async -> Result<Painting.Inspection, any Error> {
    do { return .success(inspection(of: try await list(of: view, on: metrics))) } catch { return .failure(error) }
  }

  private func list(of view: View, on metrics: DisplayMetrics) async throws(TypesettingError) -> DisplayList {
    pictures.hold()
    defer { pictures.release() }
    let (since, limit) = (pictures.moment, ContinuousClock.now.advanced(by: Self.patience))
    while true {
      pictures.beginLookup(since: since)
      let list = try Layout.layOut(view, on: metrics, with: readyMaterials())
      list.findPictures(on: pictures)
      let missing = pictures.removeMissing()
      if missing.isEmpty { return list }
      let answers = await loader.load(missing, until: limit) { _ in }
      for answer in answers { pictures.put(answer) }
    }
  }
}
