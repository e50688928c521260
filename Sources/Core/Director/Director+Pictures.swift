import Configuration
package import Control
import NIOCore
import Pictures
import Scenes

extension Director {
  /// The pictures that were uploaded, newest first.
  package func images() async throws(ControlError) -> [ImageReport] { try await pictureFolder.all() }

  /// The file of an uploaded picture.
  package func image(_ name: String) async throws(ControlError) -> [UInt8] {
    try await pictureFolder.bytes(of: keptName(of: name))
  }

  /// Keeps a picture for scenes to show.
  package func addImage(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    try await pictureFolder.add(bytes, file: file)
  }

  /// Removes a picture that nothing shows.
  package func removeImage(_ name: String) async throws(ControlError) {
    let kept = try await keptName(of: name)
    if let user = user(of: kept) { throw ControlError(.conflict, "\(name) is in use: \(user)") }
    try await pictureFolder.remove(kept)
  }

  /// The name under which a picture is kept, from that name or from the name of the file that was uploaded.
  private func keptName(of name: String) async throws(ControlError) -> String {
    if UploadName.isOne(name) { return name }
    let found = try await pictureFolder.all().filter { $0.file == name }.map(\.name)
    guard found.count > 1 else { return found.first ?? name }
    throw ControlError(
      .conflict, "\(found.count) pictures were uploaded as \(name); name one of \(found.joined(separator: ", "))")
  }

  /// Paints what waits for pictures of files, when they come.
  func followPictures() async {
    for painter in painters {
      await painter.reportPictures { [weak self, loop] surfaces in
        guard let self else { return }
        loop.execute { self.assumeIsolated { $0.picturesCame(for: surfaces) } }
      }
    }
  }

  private func picturesCame(for surfaces: Set<Painter.SurfaceID>) {
    for output in outputs where output.surface.map(surfaces.contains) ?? false { redraw(output) }
  }

  private var pictureFolder: any PictureFolder {
    get throws(ControlError) {
      if let folder = environment.pictures { return folder }
      throw ControlError(.conflict, "this service has no place for pictures")
    }
  }

  /// Who shows a picture, or would if nothing covered it, and what to do about it; nil for nobody.
  private func user(of name: String) -> String? {
    if let session = store.sessions.first(where: { $0.scene.mayShow(file: name) }) {
      return "session \(session.id) shows it; `placard close \(session.id)` ends that"
    }
    if let message = store.messages.first(where: { $0.scene.mayShow(file: name) }) {
      return "message \(message.id) shows it; `placard withdraw \(message.id)` ends that"
    }
    if store.board.mayShow(file: name) { return "a card of the board names it; take it off the card first" }
    let output = outputs.first { $0.presentation.scene?.mayShow(file: name) ?? false }
    return output.map { "the settings show it on \($0.name); change them first" }
  }
}
