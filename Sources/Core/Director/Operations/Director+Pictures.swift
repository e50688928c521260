import Configuration
package import Control
import NIOCore
import Pictures
import Scenes

extension Director {
  package func images() async throws(ControlError) -> [ImageReport] { try await pictureFolder.all() }

  package func image(_ name: String) async throws(ControlError) -> [UInt8] {
    try await pictureFolder.bytes(of: keptName(of: name))
  }

  package func addImage(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    try await pictureFolder.add(bytes, file: file)
  }

  package func removeImage(_ name: String) async throws(ControlError) {
    let kept = try await keptName(of: name)
    if let user = user(of: kept) { throw ControlError(.conflict, "\(name) is in use: \(user)") }
    try await pictureFolder.remove(kept)
  }

  /// Returns the name under which an image is stored, given that name or the name of the uploaded file.
  private func keptName(of name: String) async throws(ControlError) -> String {
    if UploadName.isOne(name) { return name }
    let found = try await pictureFolder.all().filter { $0.file == name }.map(\.name)
    guard found.count > 1 else { return found.first ?? name }
    throw ControlError(
      .conflict, "\(found.count) pictures were uploaded as \(name); name one of \(found.joined(separator: ", "))")
  }

  /// Redraws the outputs that wait for image files when the files are loaded.
  func followPictures() async {
    for painter in painters {
      await painter.reportPictures { [weak self, loop] surfaces in
        guard let self else { return }
        loop.execute { self.assumeIsolated { director in director.step { $0.picturesCame(for: surfaces) } } }
      }
    }
  }

  private var pictureFolder: any PictureFolder {
    get throws(ControlError) {
      if let folder = environment.pictures { return folder }
      throw ControlError(.conflict, "this service has no place for pictures")
    }
  }

  /// Returns the user of an image and how to end the use, or nil if it is unused. A scene that is covered counts as a
  /// user.
  private func user(of name: String) -> String? {
    if let session = core.store.sessions.first(where: { $0.scene.mayShow(file: name) }) {
      return "session \(session.id) shows it; `placard close \(session.id)` ends that"
    }
    if let message = core.store.messages.first(where: { $0.scene.mayShow(file: name) }) {
      return "message \(message.id) shows it; `placard withdraw \(message.id)` ends that"
    }
    if let entry = core.store.entryNames.first(where: { core.store.library[$0]?.scene.mayShow(file: name) ?? false }) {
      return "the library entry \(entry) shows it; change or remove the entry first"
    }
    if core.store.board.mayShow(file: name) { return "a card of the board names it; take it off the card first" }
    let output = core.outputs.first { $0.presentation.scene?.mayShow(file: name) ?? false }
    return output.map { "the settings show it on \($0.name); change them first" }
  }
}
