package import Control
import Pictures

extension Director {
  package func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview {
    let widths = PreviewRequest.widths
    guard widths.contains(request.width) else {
      throw ControlError(
        .invalid,
        "\(request.width) pixels is not a valid width for a preview: \(widths.lowerBound) to \(widths.upperBound)")
    }
    let id = try connected(display)
    guard let output = handles[id], let frame = core.frameOnScreen(of: id) else { throw notLit(id) }
    let key = PreviewCache.Key(width: request.width, format: request.format)
    let tag = tag(frame, key)
    if request.known == tag { return Preview(tag: tag, type: key.type, bytes: nil) }
    let made = try await made(key, of: output, since: frame)
    return request.known == made.tag ? Preview(tag: made.tag, type: made.type, bytes: nil) : made
  }

  /// Returns a preview that is at least as new as a frame: the cached one, the one that another request is waiting for,
  /// or a new one.
  private func made(
    _ key: PreviewCache.Key, of output: OutputHandle, since frame: PreviewCache.FrameID
  ) async throws(ControlError) -> Preview {
    if let kept = output.previews.preview(key, of: frame) { return kept }
    // A preview in progress can have been read before the requested frame. A preview that was begun later cannot.
    if let work = output.previews.work[key] {
      let made = try await work.value.get()
      if made.frame >= frame { return made.preview }
    }
    let work = output.previews.work[key] ?? begin(key, of: output)
    return try await work.value.get().preview
  }

  private func begin(
    _ key: PreviewCache.Key, of output: OutputHandle
  ) -> Task<Result<PreviewCache.Made, ControlError>, Never> {
    let work = Task { () -> Result<PreviewCache.Made, ControlError> in
      let result = await make(key, of: output)
      output.previews.work[key] = nil
      if case .success(let made) = result { output.previews.keep(made, as: key) }
      return result
    }
    output.previews.work[key] = work
    return work
  }

  private func make(
    _ key: PreviewCache.Key, of output: OutputHandle
  ) async -> Result<PreviewCache.Made, ControlError> {
    guard let (frame, reduction) = await previewMutex.run({ await read(output, width: key.width) }) else {
      return .failure(notLit(output.id))
    }
    do throws(ImageError) {
      let bytes = try await imageEncoder.file(of: reduction, as: key.format)
      return .success(.init(frame: frame, preview: Preview(tag: tag(frame, key), type: key.type, bytes: bytes)))
    } catch {
      return .failure(ControlError(.failed, "the preview of \(output.name) could not be written: \(error)"))
    }
  }

  /// Reads the frame on screen in parts, so that the painter can render other frames in between.
  private func read(_ output: OutputHandle, width: Int) async -> (PreviewCache.FrameID, FrameReduction)? {
    guard let surface = core.frameOnScreen(of: output.id)?.surface else { return nil }
    while true {
      switch await output.painter.read(surface, width: width) {
      case .part: continue
      case .whole(let serial, let reduction): return (PreviewCache.FrameID(surface: surface, serial: serial), reduction)
      case .gone: return nil
      }
    }
  }

  private func tag(_ frame: PreviewCache.FrameID, _ key: PreviewCache.Key) -> String {
    "\(environment.epoch)-\(frame.surface)-\(frame.serial)-\(key.width)-\(key.format.rawValue)"
  }
}

extension PreviewCache.Key {
  /// The media type of the preview's file.
  var type: String { "image/\(format.rawValue)" }
}
